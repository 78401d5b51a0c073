import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max';
import { InvalidError } from '../../platform/errors.ts';

const NOT_A_NUMBER = 'This is not a phone number. Please check its digits.';
const NOT_SMS_CAPABLE = 'This number cannot receive texts. Please use a mobile number.';

/** Types of numbers that can receive SMS. North American numbers do not tell landlines from mobile phones. */
const SMS_CAPABLE = new Set(['MOBILE', 'FIXED_LINE_OR_MOBILE', 'VOIP', 'PERSONAL_NUMBER']);

export function parsePhoneNumber(e164: string, countries: readonly CountryCode[]): string {
  const parsed = parsePhoneNumberFromString(e164);
  if (!parsed?.isValid()) throw toInvalidError(NOT_A_NUMBER);
  if (!parsed.country || !countries.includes(parsed.country))
    throw toInvalidError(otherCountryMessage(countries));
  if (!SMS_CAPABLE.has(parsed.getType() ?? '')) throw toInvalidError(NOT_SMS_CAPABLE);
  return parsed.number;
}

function toInvalidError(message: string): InvalidError {
  return new InvalidError(message, { phoneNumber: message });
}

function otherCountryMessage(countries: readonly CountryCode[]): string {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  const list = new Intl.ListFormat('en', { type: 'conjunction' });
  return `Only numbers of these countries can be verified: ${list.format(countries.map((each) => names.of(each) ?? each))}.`;
}
