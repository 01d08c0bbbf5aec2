/** The parts of a decimal number: sign, significant digits and the power of ten of the last of them. */
interface Decimal {
  negative: boolean;
  /** Without leading or trailing zeros; empty for zero. */
  digits: string;
  exponent: number;
}

/** Reads `-012.50` or `1e3`; undefined for any other text. Takes linear time on any text. */
export function readDecimal(text: string): Decimal | undefined {
  const match = /^([+-]?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', power = '0'] = match;
  const all = `${whole}${fraction}`.replace(/^0+/, '');
  const digits = all.slice(0, lengthWithoutTrailingZeros(all));
  if (digits === '') return { negative: false, digits, exponent: 0 };
  return {
    negative: sign === '-',
    digits,
    exponent: Number(power) - fraction.length + all.length - digits.length,
  };
}

/** Whether two texts name the same decimal number, whatever their notation. */
export function sameDecimal(one: string, other: string): boolean {
  const [left, right] = [readDecimal(one), readDecimal(other)];
  return (
    left !== undefined &&
    left.negative === right?.negative &&
    left.digits === right.digits &&
    left.exponent === right.exponent
  );
}

/** Not `/0+$/`, which takes quadratic time on `1000…0001`. */
function lengthWithoutTrailingZeros(digits: string): number {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return end;
}
