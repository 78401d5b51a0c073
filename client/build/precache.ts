import { createHash } from 'node:crypto';

export const WORKER = 'service-worker.js';

/** Not the decoder of HEIC previews (2 MB), and nothing that the shell does not need offline. */
const LEFT_OUT = [
  /\.(br|map|json)$/,
  /^\./,
  new RegExp(`^${WORKER}$`),
  /^icons\//,
  /^assets\/heic-preview-worker-/,
  /^assets\/first-tiles-/,
  /^assets\/.*\.webp$/,
];

interface Precache {
  /** Changes with any file. */
  version: string;
  /** Without a revision where the name has the content's hash. */
  entries: { url: string; revision: string | null }[];
}

/** @param files paths in the built client's folder */
export function listPrecache(files: ReadonlyMap<string, Uint8Array>): Precache {
  const entries = [...files]
    .filter(([path]) => !LEFT_OUT.some((pattern) => pattern.test(path)))
    .map(([path, bytes]) => ({
      url: `/${path}`,
      revision: path.startsWith('assets/') ? null : hash(bytes),
    }))
    .sort((a, b) => (a.url < b.url ? -1 : 1));
  return { version: hash(JSON.stringify(entries)), entries };
}

function hash(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}
