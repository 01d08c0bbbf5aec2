/** Times for people: always UTC, absolute beside relative. Input is ISO 8601 text as the database wrote it. */

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (n: number) => String(n).padStart(2, '0');

export const millisOf = (instant: string) => Date.parse(instant);

/** `14:02:07` in UTC; with `precise`, milliseconds too. */
export function clockTime(instant: string, precise = false): string {
  const d = new Date(instant);
  const whole = `${two(d.getUTCHours())}:${two(d.getUTCMinutes())}:${two(d.getUTCSeconds())}`;
  return precise ? `${whole}.${String(d.getUTCMilliseconds()).padStart(3, '0')}` : whole;
}

/** `18 Aug` in UTC, with the year where it is not the year of `now`. */
export function calendarDay(instant: string, now: number): string {
  const d = new Date(instant);
  const day = `${d.getUTCDate()} ${MONTHS[d.getUTCMonth()] ?? ''}`;
  return d.getUTCFullYear() === new Date(now).getUTCFullYear() ? day : `${day} ${d.getUTCFullYear()}`;
}

const isSameDay = (a: number, b: number) => Math.floor(a / 86_400_000) === Math.floor(b / 86_400_000);

/** The clock time, preceded by the day when it is not the day of `now`. */
export function dayTime(instant: string, now: number, precise = false): string {
  const time = clockTime(instant, precise);
  return isSameDay(millisOf(instant), now) ? time : `${calendarDay(instant, now)} ${time}`;
}

/** `2026-08-18 14:02:07.114 UTC`: the whole instant, for titles and records. */
export function absoluteTime(instant: string): string {
  const iso = new Date(instant).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 23)} UTC`;
}

/** A length of time in at most two units: `4 s`, `12 min`, `1 h 12 min`, `3 d 4 h`. */
export function duration(millis: number): string {
  const seconds = Math.max(0, Math.floor(millis / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 ? `${days} d` : `${days} d ${hours % 24} h`;
}

/** A measured span, exact where it is short: `12 ms`, `2.3 s`, then as `duration`. */
export function span(millis: number): string {
  if (millis < 1000) return `${Math.max(0, Math.round(millis))} ms`;
  return millis < 60_000 ? `${(millis / 1000).toFixed(1)} s` : duration(millis);
}

/** `4 s ago`, or `in 4 s`. */
export function relative(instant: string, now: number): string {
  const past = now - millisOf(instant);
  return past >= 0 ? `${duration(past)} ago` : `in ${duration(-past)}`;
}

/** How long a case has until its response is due: `3 min left`, or `12 min over`. */
export function untilDue(due: string, now: number): { text: string; isOver: boolean; isClose: boolean } {
  const left = millisOf(due) - now;
  if (left < 0) return { text: `${duration(-left)} over`, isOver: true, isClose: true };
  return { text: `${duration(left)} left`, isOver: false, isClose: left < 15 * 60_000 };
}
