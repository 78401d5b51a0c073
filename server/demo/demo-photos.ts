import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../platform/process/project-root.ts';

export const DEMO_PHOTOS_DIR = join(projectRoot, 'server/demo/photos');

export function readDemoPhoto(file: string): Promise<Buffer> {
  return readFile(join(DEMO_PHOTOS_DIR, file));
}
