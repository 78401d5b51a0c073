import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import sharp from 'sharp';

/** An emoji as a picture: the data URL of a square PNG, which pdfkit embeds once however often it is drawn. */
export type Emoji = { text: string; picture: string };

export type EmojiLibrary = {
  /** Null when there is no picture of it. */
  find(cluster: string): Promise<Emoji | null>;
  /** Whether any was found: who drew them is said in the book. */
  wasUsed(): boolean;
};

/** Sharp in print at the size of a headline. */
const SIDE = 160;
const VARIATION_SELECTOR = 0xfe0f;
const ZERO_WIDTH_JOINER = 0x200d;

const require = createRequire(import.meta.url);
const folder = join(dirname(require.resolve('@discordapp/twemoji/package.json')), 'dist/svg');

/** Twemoji's drawings. */
export function createEmojiLibrary(): EmojiLibrary {
  const found = new Map<string, Promise<Emoji | null>>();
  let isUsed = false;
  return {
    async find(cluster) {
      const finding = found.get(cluster) ?? draw(cluster);
      found.set(cluster, finding);
      const emoji = await finding;
      isUsed ||= emoji !== null;
      return emoji;
    },
    wasUsed: () => isUsed,
  };
}

async function draw(cluster: string): Promise<Emoji | null> {
  const codePoints = [...cluster].map((character) => character.codePointAt(0) ?? 0);
  const plain = codePoints.filter((codePoint) => codePoint !== VARIATION_SELECTOR);
  const names = codePoints.includes(ZERO_WIDTH_JOINER) ? [codePoints, plain] : [plain];
  for (const name of names) {
    const file = `${name.map((codePoint) => codePoint.toString(16)).join('-')}.svg`;
    const svg = await readFile(join(folder, file)).catch(() => null);
    if (!svg) continue;
    // An SVG has no size in pixels: 72 dpi draws it at its own 36 by 36.
    const density = (72 * SIDE) / 36;
    const picture = await sharp(svg, { density }).resize(SIDE, SIDE).png().toBuffer();
    return { text: cluster, picture: `data:image/png;base64,${picture.toString('base64')}` };
  }
  return null;
}
