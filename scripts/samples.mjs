// npm run samples: draws the pictures beside the names of the styles anew, with the local artist. The model is one of the
// demo's dogs, so that the project may carry them. To be done, and looked at, whenever the styles change.
import { requireNode } from './lib/node-version.mjs';
import { join } from 'node:path';
import { root } from './lib/root.mjs';

requireNode();
const { default: sharp } = await import('sharp');
(await import('tsx/esm/api')).register();
const { createLocalCaricatureGenerator } =
  await import('../server/platform/caricature-generator/local-caricature-generator.ts');
const { DEMO_PETS } = await import('../server/demo/demo-pets.ts');
const { drawPicture } = await import('../server/demo/drawing/draw-picture.ts');
const { CaricatureStyle } = await import('../shared/caricature.ts');

const folder = join(root, 'client/src/features/caricatures/samples');
const model = await drawPicture(DEMO_PETS[0].portrait);
const artist = createLocalCaricatureGenerator();
for (const style of CaricatureStyle.options) {
  const drawing = await artist.generate(model, style, new AbortController().signal);
  await sharp(drawing)
    .extract({ left: 50, top: 60, width: 924, height: 616 })
    .resize(330, 220)
    .webp({ quality: 45, effort: 6 })
    .toFile(join(folder, `${style}.webp`));
}
await artist.close();
