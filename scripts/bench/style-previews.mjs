// npm run style-previews: renders the pictures beside the style names. Run it when the cartoon filter changes.
import { requireNode } from '../lib/node-version.mjs';
import { join } from 'node:path';
import { root } from '../lib/root.mjs';

requireNode();
const { default: sharp } = await import('sharp');
(await import('tsx/esm/api')).register();
const { createLocalCaricatureGenerator } =
  await import('../../server/platform/caricature-generator/local-caricature-generator.ts');
const { readDemoPhoto } = await import('../../server/demo/demo-photos.ts');
const { CaricatureStyle } = await import('../../shared/album/caricature.ts');

const folder = join(root, 'client/src/features/caricatures/generate/style-previews');
const photo = await readDemoPhoto('biscuit-portrait.webp');
const generator = createLocalCaricatureGenerator();
for (const style of CaricatureStyle.options) {
  const caricature = await generator.generate(photo, style, new AbortController().signal);
  await sharp(caricature)
    .extract({ left: 50, top: 60, width: 924, height: 616 })
    .resize(330, 220)
    .webp({ quality: 45, effort: 6 })
    .toFile(join(folder, `${style}.webp`));
}
await generator.close();
