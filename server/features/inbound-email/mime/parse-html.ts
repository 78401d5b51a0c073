import { Parser } from 'htmlparser2';

export type ParsedHtml = {
  /** As a browser shows them, without signatures and quoted messages. */
  lines: string[];
  /** Whether it has any text, signatures and quotes included. */
  hasText: boolean;
  /** Content-IDs of the pictures that it shows. */
  contentIds: string[];
  /** Bytes of the pictures within it, as `data:` URIs. */
  images: Buffer[];
};

/** The parser searches its stack of open elements, so the depth bounds the work. */
const MAX_DEPTH = 512;
const CHUNK_LENGTH = 64 * 1024;
const MAX_LINES = 500;
const LINE_MAX_LENGTH = 4_000;
const MAX_IMAGES = 1_000;

const BLOCKS = new Set(
  'address article aside blockquote body br center dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tr ul'.split(
    ' ',
  ),
);
const INVISIBLE = new Set(
  'title style script xml template noscript object svg math select textarea button'.split(' '),
);
/** Elements in which mail programs wrap a signature or a quoted message, whatever the language of its text. */
const ADDED =
  /(?:^|\s)(?:gmail_(?:quote|attr|signature|extra)\S*|moz-(?:cite-prefix|signature|forward-container|email-headers-table)|(?:protonmail|tutanota|zmail)_(?:quote|signature)\S*|\S*yahoo[-_](?:quoted|signature)\S*|\S*_signature|ms-outlook-mobile-signature|AppleMailSignature\S*|apple-signature|composer_signature|signature|mobile_signature|Signature)(?:\s|$)/;
/** Ids of elements after which the quoted message follows. */
const QUOTE_STARTS = new Set(['divRplyFwdMsg', 'appendonsend', 'mail-editor-reference-message-container']);

type Attributes = Record<string, string>;

/** Linear time, also for hostile HTML: no tree is built. */
export function parseHtml(html: string): ParsedHtml {
  const reader = createReader();
  const parser = new Parser(reader.handler, { decodeEntities: true });
  for (let at = 0; at < html.length && !reader.isTooDeep(); at += CHUNK_LENGTH)
    parser.write(html.slice(at, at + CHUNK_LENGTH));
  parser.end();
  return reader.result();
}

function createReader() {
  const text = createLines();
  const contentIds: string[] = [];
  const images: Buffer[] = [];
  let hasText = false;
  let depth = 0;
  /** Open elements from the outermost one that is left out. */
  let hiddenDepth = 0;
  let isInvisible = false;
  let preDepth = 0;
  let isQuoted = false;

  function readImages(name: string, attributes: Attributes): void {
    for (const value of Object.values(attributes))
      for (const [, id = ''] of value.slice(0, 2_000).matchAll(/(?:^|[\s("'])cid:([^\s"')]+)/gi))
        if (contentIds.length < MAX_IMAGES) contentIds.push(decodePercents(id));
    const bytes =
      name === 'img' && images.length < MAX_IMAGES ? decodeDataUri(attributes['src'] ?? '') : null;
    if (bytes) images.push(bytes);
  }

  const handler = {
    onopentag(name: string, attributes: Attributes) {
      depth++;
      readImages(name, attributes);
      if (hiddenDepth > 0) {
        hiddenDepth++;
        return;
      }
      if (QUOTE_STARTS.has(attributes['id'] ?? '')) isQuoted = true;
      isInvisible = INVISIBLE.has(name) || isHidden(attributes);
      if (isInvisible || isAdded(name, attributes)) hiddenDepth = 1;
      if (BLOCKS.has(name)) text.endLine();
      if (name === 'pre') preDepth++;
      if (name === 'td' || name === 'th') text.add(' ');
    },
    onclosetag(name: string) {
      depth--;
      if (hiddenDepth > 0 && --hiddenDepth > 0) return;
      isInvisible = false;
      if (BLOCKS.has(name)) text.endLine();
      if (name === 'pre') preDepth--;
    },
    ontext(data: string) {
      if (isInvisible) return;
      hasText ||= /[^\s\u00a0\u200b\ufeff]/.test(data);
      if (hiddenDepth > 0 || isQuoted) return;
      const [first = '', ...others] = preDepth > 0 ? data.split(/\r?\n/, MAX_LINES) : [data];
      text.add(first);
      for (const line of others) {
        text.endLine();
        text.add(line);
      }
    },
  };
  return {
    handler,
    isTooDeep: () => depth > MAX_DEPTH,
    result: (): ParsedHtml => ({ lines: text.finish(), hasText, contentIds, images }),
  };
}

/** Collapses white space as HTML does. */
function createLines() {
  const lines: string[] = [];
  let line = '';
  const endLine = () => {
    const trimmed = line.trim();
    if (trimmed !== '' && lines.length < MAX_LINES) lines.push(trimmed);
    line = '';
  };
  return {
    endLine,
    add(data: string) {
      if (line.length > LINE_MAX_LENGTH || lines.length >= MAX_LINES) return;
      const collapsed = data.replace(/[\u200b\u2060\ufeff\u00ad]+/g, '').replace(/[\s\u00a0]+/g, ' ');
      line += line === '' || line.endsWith(' ') ? collapsed.trimStart() : collapsed;
    },
    finish() {
      endLine();
      return lines;
    },
  };
}

/** Text for previews in the inbox. */
function isHidden(attributes: Attributes): boolean {
  return (
    'hidden' in attributes ||
    /(?:^|;)\s*(?:display\s*:\s*none|mso-hide\s*:\s*all)/i.test(attributes['style'] ?? '')
  );
}

function isAdded(name: string, attributes: Attributes): boolean {
  const { class: className = '', id = '', type = '' } = attributes;
  if (name === 'blockquote')
    return /^cite$/i.test(type) || 'cite' in attributes || ADDED.test(className.slice(0, 200));
  return ADDED.test(className.slice(0, 200)) || ADDED.test(id.slice(0, 200));
}

function decodeDataUri(source: string): Buffer | null {
  const found = /^\s*data:image\/[^,]{0,200}?;\s*base64\s*,/i.exec(source);
  return found && Buffer.from(decodePercents(source.slice(found[0].length)), 'base64');
}

function decodePercents(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}
