import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../../../platform/process/project-root.ts';
import { file, htmlText, mime, multipart, plainText, wrapped } from '../../../testing/data/mime.ts';
import { makeHeavyPhoto, makePhoto } from '../../../testing/photos/photos.ts';
import { messageIdOf, parseEmail, type ParsedEmail } from './parse-email.ts';

const [a, b, png, webp, small, square, narrow, large, heic] = await Promise.all([
  makePhoto({ width: 120, height: 120 }),
  makePhoto({ width: 80 }),
  makePhoto({ format: 'png' }),
  makePhoto({ format: 'webp', width: 300, height: 120 }),
  makePhoto({ format: 'png', width: 200, height: 90 }),
  makePhoto({ format: 'png', width: 100, height: 100 }),
  makePhoto({ format: 'png', width: 99, height: 300 }),
  makeHeavyPhoto(300, 300),
  readFile(join(projectRoot, 'server/testing/fixtures/iphone.heic')),
]);
const NAMES = new Map<string, Buffer>(Object.entries({ a, b, png, webp, square, large, heic }));
const nameOf = (photo: Buffer) => [...NAMES].find(([, each]) => each.equals(photo))?.[0] ?? 'another';

const HEAD = { From: 'Mara <mara@home.example>', Subject: 'Rex: at sea', 'Message-ID': '<1@home.example>' };
const mixed = (parts: Buffer[], headers = {}) =>
  multipart('mixed', parts, { headers: { ...HEAD, ...headers } });
const text = plainText('Hello\r\n');
const octets = { 'Content-Type': 'application/octet-stream' };
const embedded = (bytes: Buffer) =>
  file(bytes, { 'Content-ID': '<logo>', 'Content-Disposition': 'inline; filename=image001.png' });
const quotedPrintable = (bytes: Buffer) =>
  [...bytes].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
const softBroken = (text: string) => text.replace(/.{72}/g, '$&=\r\n');

function tnef(...files: Buffer[]): Buffer {
  const attribute = (id: number, data: Buffer) => {
    const head = Buffer.alloc(9);
    head.writeUInt8(2, 0);
    head.writeUInt32LE(id, 1);
    head.writeUInt32LE(data.length, 5);
    return Buffer.concat([head, data, Buffer.alloc(2)]);
  };
  const start = Buffer.from([0x78, 0x9f, 0x3e, 0x22, 1, 0]);
  const attachments = files.flatMap((data) => [
    attribute(0x00069002, Buffer.alloc(14)),
    attribute(0x00018010, Buffer.from('photo.jpg\0')),
    attribute(0x0006800f, data),
  ]);
  return Buffer.concat([start, attribute(0x00089006, Buffer.alloc(4)), ...attachments]);
}

function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const length = Buffer.alloc(5, 0x84);
  length.writeUInt32BE(content.length, 1);
  return Buffer.concat([Buffer.from([tag]), length, content]);
}
/** BER of indefinite length, as streaming programs write it. */
const ber = (tag: number, ...contents: Buffer[]) =>
  Buffer.concat([Buffer.from([tag, 0x80]), ...contents, Buffer.from([0, 0])]);
const oid = (hex: string) => der(6, Buffer.from(hex, 'hex'));
function cms(write: typeof der, type: string, ...octets: Buffer[]): Buffer {
  const content =
    octets.length === 1 ? der(4, ...octets) : write(0x24, ...octets.map((each) => der(4, each)));
  const encapsulated = write(0x30, oid('2a864886f70d010701'), write(0xa0, content));
  return write(0x30, oid(type), write(0xa0, write(0x30, der(2, Buffer.from([1])), der(0x31), encapsulated)));
}
const [SIGNED, ENVELOPED] = ['2a864886f70d010702', '2a864886f70d010703'];
const sealed = (bytes: Buffer) =>
  mime(
    {
      ...HEAD,
      'Content-Type': 'application/pkcs7-mime; name=smime.p7m',
      'Content-Transfer-Encoding': 'base64',
    },
    wrapped(bytes),
  );

const htmlOf = (html: string) => mime({ ...HEAD, 'Content-Type': 'text/html; charset=utf-8' }, html);
const dataUri = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`;
const gifPixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** `a`, forwarded repeatedly with `b` added each time. */
const forwarded = (times: number) =>
  Array.from({ length: times }, (_, n) => n).reduce(
    (inner, n) =>
      multipart('mixed', [mime({ 'Content-Type': 'message/rfc822' }, inner), file(b)], {
        boundary: `forward-${n}`,
        headers: HEAD,
      }),
    mixed([file(a)]),
  );

/** POSIX uuencode, with a space or a backquote for zero. */
function uuencoded(bytes: Buffer, options: { name?: string; zero?: string; ends?: boolean } = {}): string {
  const { name = 'photo.jpg', zero = '`', ends = true } = options;
  const character = (bits: number) => (bits === 0 ? zero : String.fromCharCode(32 + bits));
  const lines = Array.from({ length: Math.ceil(bytes.length / 45) }, (_, n) => {
    const piece = bytes.subarray(n * 45, n * 45 + 45);
    let line = character(piece.length);
    for (let at = 0; at < piece.length; at += 3) {
      const bits = ((piece[at] ?? 0) << 16) | ((piece[at + 1] ?? 0) << 8) | (piece[at + 2] ?? 0);
      for (const shift of [18, 12, 6, 0]) line += character((bits >> shift) & 63);
    }
    return line;
  });
  return [`begin 644 ${name}`, ...lines, ...(ends ? [zero, 'end', ''] : [''])].join('\r\n');
}
const latin1 = (headers: Record<string, string>, body = '') =>
  Buffer.from(mime(headers).toString('utf8') + body, 'latin1');
const subject = (value: string, headers: Record<string, string> = {}) =>
  latin1({ ...HEAD, ...headers, Subject: value }, 'Hello');
const bytesOf = (text: string) => Buffer.from(text).toString('latin1');

type Expected = Partial<Omit<ParsedEmail, 'photos'>> & { photos: string[] };

/** Messages and what is parsed from them. */
const MESSAGES: Record<string, [raw: Buffer, expected: Expected]> = {
  'a photo in base64': [mixed([text, file(a)]), { photos: ['a'], subject: 'Rex: at sea', otherFiles: 0 }],
  'a photo that is the whole message': [
    mime({ ...HEAD, 'Content-Type': 'image/jpeg', 'Content-Transfer-Encoding': 'BASE64' }, wrapped(a)),
    { photos: ['a'], firstLine: '' },
  ],
  'a photo in quoted-printable': [
    mixed([
      mime(
        { 'Content-Type': 'image/jpeg', 'Content-Transfer-Encoding': 'quoted-printable' },
        softBroken(quotedPrintable(a)),
      ),
    ]),
    { photos: ['a'] },
  ],
  'a photo as it is, 8bit': [
    mixed([mime({ 'Content-Type': 'image/jpeg', 'Content-Transfer-Encoding': '8bit' }, a)]),
    { photos: ['a'] },
  ],
  'a photo as it is, binary, with all its line breaks': [
    mixed([mime({ 'Content-Type': 'image/png', 'Content-Transfer-Encoding': 'binary' }, png), text]),
    { photos: ['png'] },
  ],
  'a name of RFC 2047': [
    mixed([
      text,
      file(a, { 'Content-Disposition': 'attachment; filename="=?UTF-8?B?UsOkeCDwn5CVLmpwZw==?="' }),
    ]),
    { photos: ['a'] },
  ],
  'a name of RFC 2231, in pieces': [
    mixed([
      text,
      file(a, {
        'Content-Type': "image/jpeg; name*0*=UTF-8''R%C3%A4x%20; name*1*=%F0%9F%90%95.jpg",
        'Content-Disposition':
          "attachment;\r\n filename*0*=UTF-8''R%C3%A4x%20;\r\n filename*1*=%F0%9F%90%95.jpg",
      }),
    ]),
    { photos: ['a'] },
  ],
  'HEIC, WebP and PNG beside each other': [
    mixed([text, file(heic, { 'Content-Type': 'image/heic' }), file(webp), file(png)]),
    { photos: ['heic', 'webp', 'png'] },
  ],
  'multiparts in multiparts': [
    mixed([
      multipart('mixed', [multipart('mixed', [text, file(a)], { boundary: 'in' }), file(b)], {
        boundary: 'mid',
      }),
    ]),
    { photos: ['a', 'b'], firstLine: 'Hello' },
  ],
  'an alternative with related pictures': [
    multipart(
      'alternative',
      [text, multipart('related', [htmlText('<p>Hello <img src="cid:logo">'), embedded(large)])],
      { headers: HEAD },
    ),
    { photos: ['large'], firstLine: 'Hello' },
  ],
  'an alternative within mixed, as Apple Mail writes it': [
    mixed([
      multipart(
        'alternative',
        [text, multipart('mixed', [htmlText('Hello'), file(a, { 'Content-Disposition': 'inline' })])],
        { boundary: 'alt' },
      ),
    ]),
    { photos: ['a'] },
  ],
  'boundaries that begin alike': [
    multipart('mixed', [multipart('mixed', [text, file(a)], { boundary: 'x-1' }), file(b)], {
      boundary: 'x',
      headers: HEAD,
    }),
    { photos: ['a', 'b'] },
  ],
  'a forwarded message as an attachment': [
    mixed(
      [
        text,
        mime({ 'Content-Type': 'message/rfc822' }, mixed([plainText('inner'), file(a)], { Subject: 'old' })),
      ],
      { Subject: 'Fwd: Rex' },
    ),
    { photos: ['a'], subject: 'Fwd: Rex', firstLine: 'Hello' },
  ],
  'a forwarded message in base64, as a file': [
    mixed([file(mixed([file(a)]), { ...octets, 'Content-Disposition': 'attachment; filename="mail.eml"' })]),
    { photos: ['a'] },
  ],
  'messages forwarded five times over': [forwarded(5), { photos: ['a', 'b'] }],
  'messages forwarded six times over, the innermost left closed': [forwarded(6), { photos: ['b'] }],
  'a digest': [
    multipart('digest', [mime({ 'Content-Type': 'message/rfc822' }, mixed([file(a)]))], { headers: HEAD }),
    { photos: ['a'] },
  ],
  'a winmail.dat': [
    mixed([
      text,
      file(tnef(a, Buffer.from('a letter'), b), { 'Content-Type': 'application/ms-tnef; name=winmail.dat' }),
    ]),
    { photos: ['a', 'b'], otherFiles: 1 },
  ],
  'a winmail.dat with more files than anybody attaches': [
    mixed([file(tnef(a, ...Array.from({ length: 1500 }, () => Buffer.from('x'))), octets)]),
    { photos: ['a'], otherFiles: 999 },
  ],
  'a winmail.dat that ends in the middle': [
    mixed([file(tnef(a, b).subarray(0, -50), octets)]),
    { photos: ['a'] },
  ],
  'a signed message (S/MIME)': [
    multipart(
      'signed; protocol="application/pkcs7-signature"',
      [
        multipart('mixed', [text, file(a)], { boundary: 'in' }),
        file(randomBytes(900), { 'Content-Type': 'application/pkcs7-signature; name=smime.p7s' }),
      ],
      { boundary: 's', headers: HEAD },
    ),
    { photos: ['a'], otherFiles: 0, firstLine: 'Hello' },
  ],
  'a signed message within its signature (S/MIME, DER)': [
    sealed(cms(der, SIGNED, multipart('mixed', [text, file(a)]))),
    { photos: ['a'], isEncrypted: false },
  ],
  'a signed message within its signature, in pieces (S/MIME, BER)': [
    sealed(
      cms(
        ber,
        SIGNED,
        multipart('mixed', [text, file(a)]).subarray(0, 700),
        multipart('mixed', [text, file(a)]).subarray(700),
      ),
    ),
    { photos: ['a'] },
  ],
  'an encrypted message (S/MIME)': [
    sealed(cms(der, ENVELOPED, randomBytes(500))),
    { photos: [], otherFiles: 0, isEncrypted: true },
  ],
  'an encrypted message within a signature (S/MIME)': [
    sealed(cms(der, SIGNED, sealed(cms(der, ENVELOPED, randomBytes(500))))),
    { photos: [], otherFiles: 0, isEncrypted: true },
  ],
  'more signatures than anybody writes (S/MIME)': [
    mixed([a, a, a, a, a, b].map((each) => sealed(cms(der, SIGNED, mixed([file(each)]))))),
    { photos: ['a'], otherFiles: 0, isEncrypted: true },
  ],
  'an encrypted message (PGP)': [
    multipart(
      'encrypted',
      [mime({ 'Content-Type': 'application/pgp-encrypted' }, 'Version: 1'), mime(octets, 'x')],
      { headers: HEAD },
    ),
    { photos: [], otherFiles: 0, isEncrypted: true },
  ],
  'an encrypted message with something that is not (PGP)': [
    mixed([
      mime({ 'Content-Type': 'application/pgp-encrypted' }, 'Version: 1'),
      mime(octets, 'x'),
      file(Buffer.from('%PDF-1.7'), octets),
      file(a),
    ]),
    { photos: ['a'], otherFiles: 1, isEncrypted: true },
  ],
  'no attachment': [
    plainText('Rex says hello', HEAD),
    { photos: [], otherFiles: 0, firstLine: 'Rex says hello' },
  ],
  'a document and a film': [
    mixed([
      text,
      file(Buffer.from('%PDF-1.7'), octets),
      file(Buffer.from('\0\0\0\x18ftypmp42'), { 'Content-Type': 'video/mp4' }),
    ]),
    { photos: [], otherFiles: 2 },
  ],
  'a calendar entry': [
    mixed([text, mime({ 'Content-Type': 'text/calendar' }, 'BEGIN:VCALENDAR'), file(a)]),
    { photos: ['a'], otherFiles: 0 },
  ],
  'a photo that says it is something else': [
    mixed([
      text,
      file(a, octets),
      file(b, { 'Content-Type': 'text/plain; name=b.txt', 'Content-Disposition': 'inline' }),
      file(png, { 'Content-Type': 'video/mp4' }),
    ]),
    { photos: ['a', 'b', 'png'], otherFiles: 0 },
  ],
  'something else that says it is a photo': [
    mixed([text, file(Buffer.from('<svg onload="alert(1)"/>'))]),
    { photos: [], otherFiles: 1 },
  ],
  'a boundary that never ends': [
    multipart('mixed', [text, file(a)], { headers: HEAD, ends: false }),
    { photos: ['a'], firstLine: 'Hello' },
  ],
  'a boundary that the headers do not tell': [
    Buffer.from(
      mixed([text, file(a)])
        .toString('latin1')
        .replace(/; boundary="[^"]+"/, ''),
      'latin1',
    ),
    { photos: ['a'], firstLine: 'Hello' },
  ],
  'a boundary that is not the one told': [
    Buffer.from(
      mixed([text, file(a)])
        .toString('latin1')
        .replace(/boundary="[^"]+"/, 'boundary="another"'),
      'latin1',
    ),
    { photos: ['a'], firstLine: 'Hello' },
  ],
  'a multipart without any boundary': [
    mime({ ...HEAD, 'Content-Type': 'multipart/mixed' }, 'Only words'),
    { photos: [], firstLine: 'Only words' },
  ],
  'a photo that was cut off': [mixed([text, file(large)]).subarray(0, 5000), { photos: ['another'] }],
  'lines that end as a pipe ends them': [
    Buffer.from(
      mixed([text, file(a)])
        .toString('latin1')
        .replaceAll('\r\n', '\n'),
      'latin1',
    ),
    { photos: ['a'], firstLine: 'Hello' },
  ],
  'forty attachments': [
    mixed(Array.from({ length: 40 }, (_, n) => file(Buffer.concat([a, Buffer.from([n])])))),
    { photos: Array.from({ length: 40 }, () => 'another'), leftOut: 0 },
  ],
  'forty-two attachments': [
    mixed(Array.from({ length: 42 }, (_, n) => file(Buffer.concat([a, Buffer.from([n])])))),
    { photos: Array.from({ length: 40 }, () => 'another'), leftOut: 2 },
  ],
  'the same photo twice': [mixed([file(a), file(b), file(a)]), { photos: ['a', 'b'] }],
  'a small picture in the signature': [
    mixed([multipart('related', [htmlText('Hello <img src="cid:logo">'), embedded(png)]), file(a)]),
    { photos: ['a'], otherFiles: 0 },
  ],
  'a small inline photo that the HTML does not show': [
    mixed([plainText('Rex in the snow'), embedded(png)]),
    { photos: ['png'], logos: 0 },
  ],
  'a small inline photo beside HTML that shows another': [
    mixed([htmlText('Rex <img src="cid:another">'), embedded(png)]),
    { photos: ['png'], logos: 0 },
  ],
  'a small inline photo beside plain text, its Content-ID spelled as some programs do': [
    mixed([
      plainText('Rex in the snow'),
      file(b, { 'Content-Id': '<a@b>', 'Content-Disposition': 'inline; filename=IMG_1234.jpeg' }),
    ]),
    { photos: ['b'], logos: 0, firstLine: 'Rex in the snow' },
  ],
  'a small inline photo without a Content-ID': [
    mixed([
      htmlText('Rex <img src="cid:another">'),
      file(b, { 'Content-Disposition': 'inline; filename=IMG_1234.jpeg' }),
    ]),
    { photos: ['b'], logos: 0 },
  ],
  'a small inline photo between HTML that shows no picture, as Apple Mail writes it': [
    multipart(
      'alternative',
      [
        plainText('Rex in the snow'),
        multipart(
          'mixed',
          [
            htmlText('<html><body dir="auto">Rex in the snow<br></body></html>'),
            embedded(b),
            htmlText('<html><body dir="auto"><br></body></html>'),
          ],
          { boundary: 'inner' },
        ),
      ],
      { boundary: 'apple', headers: HEAD },
    ),
    { photos: ['b'], logos: 0, firstLine: 'Rex in the snow' },
  ],
  'a small inline photo whose Content-ID the HTML only mentions': [
    mixed([
      multipart('related', [htmlText('<p>Rex <!-- <img src="cid:logo"> --> cid:logo</p>'), embedded(png)]),
    ]),
    { photos: ['png'], logos: 0 },
  ],
  'a small picture that the HTML shows as a background': [
    mixed([multipart('related', [htmlText('<td style="background:url(cid:logo)">Hi'), embedded(png)])]),
    { photos: [], logos: 1 },
  ],
  'a photo within the HTML': [
    htmlOf(`<p>Rex in the snow</p><img src="data:image/jpeg;base64,${wrapped(a)}">`),
    { photos: ['a'], firstLine: 'Rex in the snow', logos: 0 },
  ],
  'photos within the HTML of a forwarded message and beside it': [
    mixed([mime({ 'Content-Type': 'message/rfc822' }, htmlOf(`<img src='${dataUri(webp)}'>`)), file(b)]),
    { photos: ['webp', 'b'] },
  ],
  'a photo within HTML in quoted-printable': [
    mime(
      {
        ...HEAD,
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Transfer-Encoding': 'quoted-printable',
      },
      `<p>Rex in the snow</p><img src="${dataUri(webp)}">`
        .replace(/.{60}/g, '$&\n')
        .replaceAll('=', '=3D')
        .replaceAll('\n', '=\r\n'),
    ),
    { photos: ['webp'], firstLine: 'Rex in the snow' },
  ],
  'a photo within the HTML that names a character set': [
    htmlOf(`<img src="data:image/webp;charset=utf-8;base64,${webp.toString('base64')}">`),
    { photos: ['webp'] },
  ],
  'pictures within the HTML of 100 pixels on each side, and of fewer on one': [
    htmlOf([square, narrow].map((each) => `<img src="${dataUri(each)}">`).join('')),
    { photos: ['square'], logos: 1 },
  ],
  'a photo within the HTML that is attached too': [
    mixed([htmlText(`<img src="${dataUri(a)}">`), file(a)]),
    { photos: ['a'] },
  ],
  'pictures within the HTML that are too small, a pixel and something else': [
    htmlOf(
      [small, gifPixel, Buffer.from('<svg/>')].map((each) => `<img src="${dataUri(each)}">`).join('<br>'),
    ),
    { photos: [], logos: 1, otherFiles: 1 },
  ],
  'what a phone or mail program adds': [
    mixed([
      text,
      mime({ 'Content-Type': 'application/smil; name=a.smil' }, '<smil/>'),
      file(Buffer.from('BEGIN:VCARD'), { 'Content-Type': 'text/x-vcard; name=aunt.vcf' }),
      file(Buffer.from('BEGIN:VCALENDAR'), { 'Content-Type': 'application/octet-stream; name=invite.ics' }),
      mime({ 'Content-Type': 'text/plain; name=ATT00001.txt' }, 'This list is free'),
      file(Buffer.from('This list is free'), {
        'Content-Type': 'application/octet-stream; name=ATT00003',
        'Content-Disposition': 'attachment; filename=ATT00003',
      }),
      mime({ 'Content-Type': 'text/html; name=ATT00002.htm', 'Content-Disposition': 'attachment' }, '<br>'),
      multipart(
        'appledouble',
        [file(Buffer.from('0005160700020000', 'hex'), { 'Content-Type': 'application/applefile' }), file(a)],
        { boundary: 'double' },
      ),
      file(Buffer.from('0005160700020000', 'hex'), {
        'Content-Disposition': 'attachment; filename=._photo.jpg',
      }),
    ]),
    { photos: ['a'], otherFiles: 0, firstLine: 'Hello' },
  ],
  'a text message as a provider forwards it': [
    mixed([
      file(Buffer.from('Rex: first snow'), { 'Content-Type': 'text/plain; charset=utf-8; name=text_0.txt' }),
      file(a),
    ]),
    { photos: ['a'], otherFiles: 0, firstLine: 'Rex: first snow' },
  ],
  'a small picture that was attached': [mixed([text, file(png)]), { photos: ['png'] }],
  'attachments of no bytes': [
    mixed([text, file(Buffer.alloc(0), { 'Content-Type': 'text/plain' }), file(a)]),
    { photos: ['a'], otherFiles: 0 },
  ],
  'a photo of which no bytes came along': [
    mixed([text, file(Buffer.alloc(0)), file(a)]),
    { photos: ['a'], otherFiles: 1 },
  ],
  'a photo encrypted by PGP': [
    mixed([
      text,
      file(Buffer.from('-----BEGIN PGP MESSAGE-----'), {
        'Content-Type': 'application/octet-stream',
        'Content-Disposition': 'attachment; filename="photo.jpg.pgp"',
      }),
    ]),
    { photos: [], otherFiles: 0, isEncrypted: true },
  ],
  'no bytes at all': [Buffer.alloc(0), { photos: [], subject: '', firstLine: '', leftOut: 0 }],
  'headers alone': [mime(HEAD), { photos: [], subject: 'Rex: at sea' }],
  'bytes that are no message': [randomBytes(5000), { photos: [] }],
  'a subject of RFC 2047, folded': [
    plainText('', { ...HEAD, Subject: '=?UTF-8?Q?R=C3=A4x:_at?=\r\n =?UTF-8?B?IHRoZSDwn4+W77iP?=' }),
    { photos: [], subject: 'Räx: at the 🏖️' },
  ],
  'a subject in plain UTF-8': [
    plainText('', { ...HEAD, Subject: 'Räx：海' }),
    { photos: [], subject: 'Räx：海' },
  ],
  'a body in another character set': [
    mime(
      {
        ...HEAD,
        'Content-Type': 'text/plain; charset=iso-8859-1',
        'Content-Transfer-Encoding': 'quoted-printable',
      },
      'R=E4x schl=E4ft',
    ),
    { photos: [], firstLine: 'Räx schläft' },
  ],
  'a body in base64': [
    mime(
      { ...HEAD, 'Content-Type': 'text/plain; charset=utf-8', 'Content-Transfer-Encoding': 'base64' },
      wrapped(Buffer.from('\r\n小雪\r\n')),
    ),
    { photos: [], firstLine: '小雪' },
  ],
  'a body in HTML alone': [
    mixed([
      htmlText('<html><head><style>p{}</style></head><body><p>Rex &amp; I<br>at sea</p></body></html>'),
      file(a),
    ]),
    { photos: ['a'], firstLine: 'Rex & I' },
  ],
  'a photo in uuencode, in a mail without MIME': [
    mime(HEAD, `Rex at sea\r\n\r\n${uuencoded(a)}\r\nBye`),
    { photos: ['a'], firstLine: 'Rex at sea', otherFiles: 0 },
  ],
  'photos in uuencode and nothing else': [
    plainText(uuencoded(large) + uuencoded(b, { name: 'my photo.jpg' }), HEAD),
    { photos: ['large', 'b'], firstLine: '' },
  ],
  'a photo in uuencode, its spaces stripped on the way': [
    plainText(uuencoded(png, { zero: ' ' }).replace(/ +(?=\r\n)/g, ''), HEAD),
    { photos: ['png'] },
  ],
  'a photo in uuencode with checksums': [
    plainText(uuencoded(a).replace(/^(M.{60})/gm, '$1A'), HEAD),
    { photos: ['a'] },
  ],
  'a photo in uuencode within quoted-printable': [
    mixed([
      mime(
        { 'Content-Type': 'text/plain', 'Content-Transfer-Encoding': 'quoted-printable' },
        uuencoded(a).replaceAll('=', '=3D').replace(/.{72}/g, '$&=\r\n'),
      ),
    ]),
    { photos: ['a'] },
  ],
  'a uuencoded photo as an attachment': [
    mixed([
      text,
      mime({ 'Content-Type': 'application/octet-stream; name=photo.uue' }, uuencoded(a)),
      mime({ 'Content-Type': 'text/plain; name=photo.uue' }, uuencoded(b)),
      mime({ 'Content-Type': 'image/png', 'Content-Transfer-Encoding': 'x-uuencode' }, uuencoded(png)),
    ]),
    { photos: ['a', 'b', 'png'], otherFiles: 0 },
  ],
  'a document in uuencode': [
    plainText(`Hello\r\n${uuencoded(Buffer.from('%PDF-1.7'), { name: 'a.pdf' })}`, HEAD),
    { photos: [], otherFiles: 1, firstLine: 'Hello' },
  ],
  'a photo in uuencode that never ends': [
    plainText(`Hello\r\n${uuencoded(a, { ends: false })}`, HEAD),
    { photos: ['a'], firstLine: 'Hello' },
  ],
  'a photo in uuencode, broken by a line of words': [
    plainText(uuencoded(large).replace(/^M/m, 'Look at this, it is Rex\r\nM'), HEAD),
    { photos: [], firstLine: 'begin 644 photo.jpg' },
  ],
  'a photo in uuencode that begins within another': [
    plainText(
      uuencoded(large, { ends: false }).split('\r\n').slice(0, 9).join('\r\n') + `\r\n${uuencoded(a)}`,
      HEAD,
    ),
    { photos: ['another', 'a'] },
  ],
  'words that look like the beginning of uuencode': [
    plainText('begin 644 steps from here\r\nand walk on.', HEAD),
    { photos: [], otherFiles: 0, firstLine: 'begin 644 steps from here' },
  ],
  'a subject in plain Latin-1, which nothing tells': [
    subject('R\xe4x: am Meer'),
    { photos: [], subject: 'Räx: am Meer' },
  ],
  'a subject in plain KOI8-R, as the text says': [
    subject('\xf2\xc5\xcb\xd3', { 'Content-Type': 'text/plain; charset=koi8-r' }),
    { photos: [], subject: 'Рекс' },
  ],
  'a subject in plain GB2312, as the text says': [
    subject('\xc4\xe3\xba\xc3', { 'Content-Type': 'text/plain; charset="gb2312"' }),
    { photos: [], subject: '你好' },
  ],
  'an encoded word with bytes of its character set': [
    subject('=?iso-8859-1?Q?R\xe4x_am_Meer?='),
    { photos: [], subject: 'Räx am Meer' },
  ],
  'an encoded word with bytes in UTF-8': [
    subject(`=?UTF-8?Q?${bytesOf('Räx')} =C3=A4?=`),
    { photos: [], subject: 'Räx ä' },
  ],
  'an encoded word that says UTF-8 and is Latin-1': [
    subject('=?utf-8?Q?R\xe4x?='),
    { photos: [], subject: 'Räx' },
  ],
  'an encoded word that says US-ASCII and is not': [
    subject(`=?us-ascii?Q?${bytesOf('Räx')}?=`),
    { photos: [], subject: 'Räx' },
  ],
  'bytes between encoded words, in their character set': [
    subject('=?windows-1251?Q?=D0=E5=EA=F1?= \xe8 =?windows-1251?B?6uD4?='),
    { photos: [], subject: 'Рекс и каш' },
  ],
  'a character split between two encoded words': [
    subject('=?UTF-8?B?UsM=?=\r\n =?UTF-8?B?pHg=?='),
    { photos: [], subject: 'Räx' },
  ],
  'a subject in UTF-7': [subject('=?utf-7?Q?R+AOQ-x_+ZeVnLA-?='), { photos: [], subject: 'Räx 日本' }],
  'a subject in UTF-7, by its long name, in base64': [
    subject(`=?UNICODE-1-1-UTF-7?B?${Buffer.from('R+AOQ-x').toString('base64')}?=`),
    { photos: [], subject: 'Räx' },
  ],
  'a plain subject in UTF-7, as the text says, which is too': [
    mime({ ...HEAD, Subject: 'R+AOQ-x', 'Content-Type': 'text/plain; charset=utf-7' }, 'Gr+APwA3w-e'),
    { photos: [], subject: 'Räx', firstLine: 'Grüße' },
  ],
  'a plain subject with a plus': [subject('Rex+Luna: 1 + 1'), { photos: [], subject: 'Rex+Luna: 1 + 1' }],
  'an encoded word of an unknown charset': [subject('=?x-nothing?Q?R=E4x?='), { photos: [], subject: 'Räx' }],
  'mail of a program': [
    plainText('', { ...HEAD, 'Auto-Submitted': 'auto-replied' }),
    { photos: [], isAutomatic: true },
  ],
  'mail of a person who says so': [
    plainText('', { ...HEAD, 'Auto-Submitted': 'no' }),
    { photos: [], isAutomatic: false },
  ],
  'mail to many': [plainText('', { ...HEAD, Precedence: 'bulk' }), { photos: [], isAutomatic: true }],
  'mail of a list': [
    plainText('', { ...HEAD, 'List-Id': '<cats.example>' }),
    { photos: [], isAutomatic: true },
  ],
  'mail that came back': [
    multipart(
      'report; report-type=delivery-status',
      [text, mime({ 'Content-Type': 'message/delivery-status' }, 'x')],
      { headers: { ...HEAD, 'Return-Path': '<>' } },
    ),
    { photos: [], isAutomatic: true },
  ],
};

describe('parseEmail', () => {
  it.each(Object.entries(MESSAGES))('parses: %s', (_name, [raw, expected]) => {
    const parsed = parseEmail(raw);
    expect({ ...parsed, photos: parsed?.photos.map(({ bytes }) => nameOf(bytes)) }).toMatchObject(expected);
  });

  it('marks images as embedded if they are shown in the text and not attached', () => {
    const mail = mixed([
      htmlText('<img src="cid:logo">'),
      embedded(large),
      file(heic),
      embedded(heic),
      file(a),
    ]);
    expect(parseEmail(mail)?.photos.map(({ isEmbedded }) => isEmbedded)).toEqual([true, false, false]);
  });

  it.each([
    [' <A.1@home.example> ', 'A.1@home.example'],
    ['broken', null],
    ['<>', null],
    ['<a\0b@x>', null],
  ])('reads a valid Message-ID only: %j', (value, expected) => {
    expect(messageIdOf([{ name: 'message-id', value }])).toBe(expected);
  });

  it.each([
    ['over forty megabytes', Buffer.alloc(40 * 1024 * 1024 + 1, 'a\n')],
    ['with a thousand parts', mixed(Array.from({ length: 1001 }, () => text))],
    [
      'nested without end',
      Array.from({ length: 30 }, (_, n) => n).reduce(
        (inner, n) => multipart('mixed', [inner], { boundary: `b${n}` }),
        text,
      ),
    ],
    [
      'with more headers than anybody writes',
      mime(Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`X-${n}`, 'x']))),
    ],
    ['with a header without end', mime({ 'X-Long': 'x'.repeat(300_000) })],
  ])('returns null %s', (_name, raw) => {
    expect(parseEmail(raw)).toBeNull();
  });

  it('is fast with any line endings', () => {
    const raw = mime({ 'X-Long': `${'\r'.repeat(250_000)}x`, Subject: 'Rex' });
    expect(parseEmail(raw)?.subject).toBe('Rex');
  });

  it.each([
    ['of begins', 'begin 644 x\n'.repeat(1_500_000)],
    ['of begins with a byte each', 'begin 644 x\n!80``\n'.repeat(500_000)],
    ['of data that never ends', `begin 644 x\n${`M${'A'.repeat(60)}\n`.repeat(300_000)}`],
    ['of one line', `begin 644 x\nM${'A'.repeat(20_000_000)}`],
  ])('is fast: a text %s', (_name, body) => {
    expect(parseEmail(mime(HEAD, body))?.photos).toEqual([]);
  });

  it('is fast: a subject of broken encoded words', () => {
    const parsed = parseEmail(mime({ ...HEAD, Subject: '=?a?Q?'.repeat(40_000) }));
    expect(parsed?.photos).toEqual([]);
  });

  it('parses random input without an error', () => {
    const piece = fc.constantFrom(
      '\r\n',
      '\n',
      '--b',
      '--',
      'b',
      ' ',
      ':',
      ';',
      '=',
      '"',
      '<',
      '>',
      'Content-Type: ',
      'multipart/mixed; boundary=b',
      'message/rfc822',
      'text/html',
      'Content-Transfer-Encoding: base64',
      'Subject: =?',
      'begin 644 x',
      'end',
      'M',
      '?=',
      '\0',
      'x',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        expect(parseEmail(Buffer.from(pieces.join('')))?.photos).toEqual([]);
      }),
    );
  });
});
