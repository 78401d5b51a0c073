const DIGIT = /\p{Nd}/u;
const OTHER_DIGITS = /[^\P{Nd}0-9]/gu;

/** Writes the decimal digits of every script as 0 to 9. Unicode has each script's ten in a row. */
export function toAsciiDigits(text: string): string {
  return text.replace(OTHER_DIGITS, (digit) => {
    const codePoint = digit.codePointAt(0) ?? 0;
    let first = codePoint;
    while (DIGIT.test(String.fromCodePoint(first - 1))) first -= 1;
    return String((codePoint - first) % 10);
  });
}
