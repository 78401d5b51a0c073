import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max';
import { InvalidError } from '../../platform/errors.ts';

const NOT_A_NUMBER = 'This is not a phone number. Please check its digits.';
const NOT_TEXTABLE = 'This number cannot receive texts. Please use a mobile number.';

/** Kinds of numbers that texts reach. In North America those of landlines look like those of mobile phones. */
const TEXTABLE = new Set(['MOBILE', 'FIXED_LINE_OR_MOBILE', 'VOIP', 'PERSONAL_NUMBER']);

/** The number as it is kept. @throws InvalidError when it is none, or none that we text */
export function checkPhoneNumber(e164: string, countries: readonly CountryCode[]): string {
  const parsed = parsePhoneNumberFromString(e164);
  if (!parsed?.isValid()) throw refuse(NOT_A_NUMBER);
  if (!parsed.country || !countries.includes(parsed.country)) throw refuse(onlyIn(countries));
  if (!TEXTABLE.has(parsed.getType() ?? '')) throw refuse(NOT_TEXTABLE);
  return parsed.number;
}

function refuse(message: string): InvalidError {
  return new InvalidError(message, { phoneNumber: message });
}

function onlyIn(countries: readonly CountryCode[]): string {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  const list = new Intl.ListFormat('en', { type: 'conjunction' });
  return `Only numbers of these countries can be verified: ${list.format(countries.map((each) => names.of(each) ?? each))}.`;
}
