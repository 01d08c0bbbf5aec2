const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Seconds in the largest unit that divides them: `30 days`, `90 seconds`. */
export function duration(seconds: number): string {
  const [name, length] = UNITS.find(([, unit]) => seconds >= unit && seconds % unit === 0) ?? ['second', 1];
  const count = seconds / length;
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
