import { describe, expect, test } from 'vitest';
import { createLogger } from './logger.ts';

function record(log: (logger: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  log(createLogger('info', { write: (line) => lines.push(line) }));
  return lines.join('');
}

describe('logger', () => {
  test('[S10] line ends, ESC and bidirectional overrides in a logged field stay inside one escaped record', () => {
    const hostile = 'a\r\nb\u001b[31mc\u202ed\u2028e\u0085f';
    const line = record((logger) => logger.info({ error_description: hostile }, hostile));
    // oxlint-disable-next-line no-control-regex -- the test is about them
    expect(line.slice(0, -1)).not.toMatch(/[\u0000-\u001f\u0080-\u009f\u2028\u202e]/);
    expect(JSON.parse(line)).toMatchObject({ level: 'info', error_description: hostile, msg: hostile });
  });

  test('fields that hold secrets are censored, one level down too', () => {
    const line = record((logger) =>
      logger.info({ password: 'hunter2', headers: { authorization: 'Bearer hunter2', cookie: 'hunter2' } }),
    );
    expect(line).not.toContain('hunter2');
    expect(line).toContain('[redacted]');
  });
});
