import { develop, type Print } from './develop.ts';
import { createFrame, type Light, type Shape } from './frame.ts';
import * as indoors from './indoors.ts';
import * as outdoors from './outdoors.ts';
import { castOf, type Actor, type Scene } from './scene.ts';

const SCENES = { ...outdoors, ...indoors } satisfies Record<string, Scene>;

/** What is to be seen in a picture; the same, whenever it is drawn. */
export type Picture = {
  scene: keyof typeof SCENES;
  shape: Shape;
  light: Light;
  /** Where the flowers stand, which way the clouds go. */
  seed: number;
  cast: readonly Actor[];
  print?: Print;
};

/** A JPEG; at a scale of 1 its longer side has 1600 pixels or so. */
export function drawPicture(
  { scene, shape, light, seed, cast, print = 'fresh' }: Picture,
  scale = 1,
): Promise<Buffer> {
  const frame = createFrame(shape, light, seed);
  return develop(frame.finish(SCENES[scene](frame, castOf(cast), cast.length), scale), { print, scale });
}
