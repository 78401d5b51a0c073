import * as z from 'zod';

export const text = z.string().trim();

const PORT_MESSAGE = 'must be a port, 0 to 65535';
export const port = z.coerce
  .number(PORT_MESSAGE)
  .int(PORT_MESSAGE)
  .min(0, PORT_MESSAGE)
  .max(65_535, PORT_MESSAGE);
export const count = z.coerce.number('must be a whole number, 1 or more').int().min(1);
export const nonNegative = z.coerce
  .number('must be a number, 0 or more')
  .min(0, 'must be a number, 0 or more');
export const wholeNumber = z.coerce.number('must be a whole number, 0 or more').int().min(0);

export const secret = text.min(32, 'must have at least 32 characters').optional();

export const origin = text
  .refine(isOrigin, 'must be an origin like https://mems.example, without a path')
  .transform((value) => new URL(value).origin);

function isOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash && !url.username;
}

/** A key or certificate; its lines may be parted by \n. */
export const pem = text.transform((key) => key.replaceAll('\\n', '\n'));
