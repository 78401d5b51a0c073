/** A message or part: headers, an empty line, the body. */
export function mime(headers: Record<string, string | string[]>, body: string | Buffer = ''): Buffer {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((each) => `${name}: ${each}\r\n`),
  );
  return Buffer.concat([Buffer.from(`${lines.join('')}\r\n`), Buffer.from(body)]);
}

export function multipart(
  subtype: string,
  parts: Buffer[],
  options: { boundary?: string; headers?: Record<string, string | string[]>; ends?: boolean } = {},
): Buffer {
  const { boundary = `b${parts.length}-${subtype.replace(/\W.*/, '')}`, headers = {}, ends = true } = options;
  const pieces = parts.flatMap((part) => [Buffer.from(`--${boundary}\r\n`), part, Buffer.from('\r\n')]);
  return mime(
    { ...headers, 'Content-Type': `multipart/${subtype}; boundary="${boundary}"` },
    Buffer.concat([...pieces, Buffer.from(ends ? `--${boundary}--\r\n` : '')]),
  );
}

/** An attachment, in base64 with the longest allowed lines. */
export function file(bytes: Buffer, headers: Record<string, string> = {}): Buffer {
  return mime(
    {
      'Content-Type': 'image/jpeg; name="photo.jpg"',
      'Content-Transfer-Encoding': 'base64',
      'Content-Disposition': 'attachment; filename="photo.jpg"',
      ...headers,
    },
    wrapped(bytes),
  );
}

export function plainText(text: string, headers: Record<string, string> = {}): Buffer {
  return mime({ 'Content-Type': 'text/plain; charset=utf-8', ...headers }, text);
}

export function htmlText(html: string): Buffer {
  return mime({ 'Content-Type': 'text/html; charset=utf-8' }, html);
}

export function wrapped(bytes: Buffer): string {
  return bytes.toString('base64').replace(/.{76}/g, '$&\r\n');
}
