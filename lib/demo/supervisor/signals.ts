const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
const REPEAT_MS = 1_000;
const PARENT_CHECK_MS = 500;

export type StopRequest = {
  /** Called once, with the exit code that says who asked. */
  stop: (exitCode: number) => void;
  /** Called when a person asks again: no more patience. */
  hurry: () => void;
  /** Whether npm started us: then its end is ours, also when it was killed outright. */
  underNpm: boolean;
};

/**
 * Turns everything that means "stop" into one call. npm passes a terminal's Ctrl-C on, so one key press arrives
 * twice: only a press a second later means "now". A closed terminal makes writing fail, which must not end us in
 * the middle of stopping.
 */
export function onStopRequest({ stop, hurry, underNpm }: StopRequest): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  let firstAt: number | undefined;
  const request = (exitCode: number) => {
    if (firstAt !== undefined) return;
    firstAt = performance.now();
    stop(exitCode);
  };
  for (const [signal, exitCode] of Object.entries(EXIT_CODES)) {
    process.on(signal, () => {
      const isRepeat = firstAt !== undefined && performance.now() - firstAt > REPEAT_MS;
      if (signal === 'SIGINT' && isRepeat) hurry();
      else request(exitCode);
    });
  }
  if (!underNpm) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) request(EXIT_CODES.SIGTERM);
  }, PARENT_CHECK_MS).unref();
}
