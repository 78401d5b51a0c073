import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createTwilioSignature, type SmsForm, type SmsSignature } from './sms-signature.ts';

const authToken = '12345';
const url = 'https://mycompany.com/myapp.php?foo=1&bar=2';
const call = { CallSid: 'CA1234567890ABCDE', Digits: '1234', To: '+18005551212' };
const from = (number: string) => ({ ...call, Caller: number, From: number });

type SignedRequest = Parameters<SmsSignature['isValid']>[0] & { authToken: string };

const isValid = ({ authToken, ...request }: SignedRequest) =>
  createTwilioSignature(authToken).isValid(request);

/** By Twilio's description alone: the address, then each name with its value, by name in the order of Unix. */
function signByHand(address: string, params: Record<string, string>): string {
  const names = Object.keys(params).sort();
  const text = names.reduce((sum, name) => sum + name + params[name], address);
  return createHmac('sha1', authToken).update(text, 'utf8').digest('base64');
}

describe('the signature of a webhook', () => {
  // https://www.twilio.com/docs/usage/webhooks/webhooks-security and the tests of Twilio's own libraries.
  it.each<[string, string, SmsForm, string]>([
    ['of 2012', url, from('+14158675309'), 'RSOYDt4T1cUTdK1PDd93/VVr8B8='],
    ['of 2013', url, from('+14158675310'), 'GvWf1cFY/Q7PnoempGyD5oXAezc='],
    ['of 2016', url, from('+12349013030'), '0/KCTR6DLpKmkAf8muzZqo1nDgQ='],
    ['with port 443, signed', url, from('+14158675309'), 'kvajT1Ptam85bY51eRf/AJRuM3w='],
    ['with an apostrophe', `${url}&Body=It's+amazing`, from('+14158675309'), 'dsq4Ehbj6cs+KdTkpF5sSSplOWw='],
    [
      'with fields that repeat',
      url,
      { Sid: 'CA123', SidAccount: 'AC123', Digits: ['5678', '1234', '1234'] },
      'IK+Dwps556ElfBT0I3Rgjkr1wJU=',
    ],
  ])('is good as Twilio has published it: %s', (_name, address, params, signature) => {
    expect(isValid({ authToken, url: address, params, signature })).toBe(true);
  });

  it.each<[string, Record<string, string>]>([
    ['a photo with words', { From: '+12065550123', Body: 'Rex: first snow', NumMedia: '1' }],
    ['words of all scripts', { Body: 'Räx & Mo = 2 + 1% 🐕\nאלבום', 'ä b': ' ', Body2: 'É' }],
    ['empty fields', { Body: '', NumMedia: '0' }],
    ['no field', {}],
  ])('is good as computed without the library: %s', (_name, params) => {
    const signature = signByHand(url, params);
    expect(isValid({ authToken, url, params, signature })).toBe(true);
    expect(createTwilioSignature(authToken).sign({ url, params })).toBe(signature);
  });

  it.each([
    ['http://localhost:5000/api/sms/incoming', 'http://localhost/api/sms/incoming'],
    ['http://localhost:5000/api/sms/incoming', 'http://localhost:5000/api/sms/incoming'],
    ['https://mems.example/api/sms/incoming', 'https://mems.example:443/api/sms/incoming'],
    ['https://mems.example:443/api/sms/incoming', 'https://mems.example/api/sms/incoming'],
  ])('is good for %s when Twilio has signed %s', (ours, signed) => {
    const params = { Body: 'Rex' };
    expect(isValid({ authToken, url: ours, params, signature: signByHand(signed, params) })).toBe(true);
  });

  const params = from('+14158675309');
  const signature = 'RSOYDt4T1cUTdK1PDd93/VVr8B8=';
  const { Digits: _digits, ...without } = params;
  it.each<[string, Partial<SignedRequest>]>([
    ['another host', { url: url.replace('mycompany', 'yourcompany') }],
    ['another query', { url: `${url}&more=3` }],
    ['http in place of https', { url: url.replace('https', 'http') }],
    ['a field more', { params: { ...params, Body: 'Rex' } }],
    ['an empty field more, with a name', { params: { ...params, A: '' } }],
    ['a field less', { params: without }],
    ['a field changed', { params: { ...params, Digits: '1235' } }],
    ['a second value for a field', { params: { ...params, Digits: ['1234', '5'] } }],
    ['a name in other letters', { params: { ...without, digits: '1234' } }],
    ['another password', { authToken: '123456' }],
    ['no password', { authToken: '' }],
    [
      'no password, and signed with none',
      { authToken: '', signature: createHmac('sha1', '').update(url).digest('base64'), params: {} },
    ],
    ['no header', { signature: undefined }],
    ['an empty header', { signature: '' }],
    ['a header cut short', { signature: signature.slice(0, -1) }],
    ['a header of another length, not of plain letters', { signature: '🐕' }],
  ])('is rejected with %s', (_name, changes) => {
    expect(isValid({ authToken, url, params, signature })).toBe(true);
    expect(isValid({ authToken, url, params, signature, ...changes })).toBe(false);
  });
});
