import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import sharp from 'sharp';

/** `dataUrl` is a square PNG; pdfkit embeds each data URL only once. */
export type Emoji = { text: string; dataUrl: string };

export type EmojiLibrary = ReturnType<typeof createEmojiLibrary>;

/** In pixels: sharp in print at headline size. */
const SIDE = 160;
const VARIATION_SELECTOR = 0xfe0f;
const ZERO_WIDTH_JOINER = 0x200d;

const require = createRequire(import.meta.url);
const folder = join(dirname(require.resolve('@discordapp/twemoji/package.json')), 'dist/svg');

export function createEmojiLibrary() {
  const cache = new Map<string, Promise<Emoji | null>>();
  let isUsed = false;
  return {
    async find(cluster: string): Promise<Emoji | null> {
      const pending = cache.get(cluster) ?? render(cluster);
      cache.set(cluster, pending);
      const emoji = await pending;
      isUsed ||= emoji !== null;
      return emoji;
    },
    /** The license requires a credit in PDFs with emoji. */
    wasUsed: () => isUsed,
  };
}

async function render(cluster: string): Promise<Emoji | null> {
  const codePoints = [...cluster].map((character) => character.codePointAt(0) ?? 0);
  const plain = codePoints.filter((codePoint) => codePoint !== VARIATION_SELECTOR);
  const names = codePoints.includes(ZERO_WIDTH_JOINER) ? [codePoints, plain] : [plain];
  for (const name of names) {
    const file = `${name.map((codePoint) => codePoint.toString(16)).join('-')}.svg`;
    const svg = await readFile(join(folder, file)).catch(() => null);
    if (!svg) continue;
    // At 72 dpi Twemoji's SVGs are 36 by 36 pixels.
    const density = (72 * SIDE) / 36;
    const png = await sharp(svg, { density }).resize(SIDE, SIDE).png().toBuffer();
    return { text: cluster, dataUrl: `data:image/png;base64,${png.toString('base64')}` };
  }
  return null;
}
