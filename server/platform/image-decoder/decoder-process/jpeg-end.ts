import sharp, { type SharpOptions } from 'sharp';

const [SOS, EOI] = [0xda, 0xd9];
const END = Buffer.from([0xff, EOI]);

/** Of an MCU. libvips reads a strip of them at a time. */
const MAX_STRIP_ROWS = 32;

/**
 * The file with its end marker, if it lacks only that; null if it has one, or if a scan is missing. libjpeg warns of missing rows,
 * so decode it with `failOn: 'warning'`. libvips does not look at the warnings of the last strip: `areLastRowsWhole` does.
 */
export function addMissingEnd(jpeg: Buffer): Buffer | null {
  const scans: Scan[] = [];
  let components = 0;
  let at = 2;
  for (;;) {
    const marker = jpeg[at + 1];
    if (jpeg[at] !== 0xff || marker === undefined) return null;
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === EOI || at + 4 > jpeg.length) return null;
    const end = at + 2 + jpeg.readUInt16BE(at + 2);
    if (end > jpeg.length) return null;
    if (isFrame(marker)) components = jpeg[at + 9] ?? 0;
    const start = at;
    at = end;
    if (marker !== SOS) continue;
    scans.push(readScan(jpeg, start));
    at = findMarker(jpeg, end);
    if (at === jpeg.length) break;
  }
  return isEachCoefficientWhole(scans, components) ? Buffer.concat([jpeg, END]) : null;
}

/** Whether other bytes after the last ones change no pixel. */
export async function areLastRowsWhole(jpeg: Buffer, size: SharpOptions): Promise<boolean> {
  const [first, second] = await Promise.all(
    [0x55, 0xaa].map(async (filler) => {
      const filled = sharp(Buffer.concat([jpeg, Buffer.alloc(64, filler), END]), { ...size, failOn: 'none' });
      const { width, height } = await filled.metadata();
      const rows = Math.min(MAX_STRIP_ROWS, height);
      return filled
        .extract({ left: 0, top: height - rows, width, height: rows })
        .raw()
        .toBuffer();
    }),
  );
  return first !== undefined && second !== undefined && first.equals(second);
}

/** `low`: the bit of the coefficients that it refines them to. */
type Scan = { components: number[]; from: number; to: number; low: number };

/** `at`: its marker. */
function readScan(jpeg: Buffer, at: number): Scan {
  const count = jpeg[at + 4] ?? 0;
  const [from = 0, to = 63, bits = 0] = jpeg.subarray(at + 5 + 2 * count);
  const components = Array.from({ length: count }, (_, index) => jpeg[at + 5 + 2 * index] ?? 0);
  return { components, from, to, low: bits & 15 };
}

/** The next one that is no stuffed byte and no restart of the same scan, or the end of the file. */
function findMarker(jpeg: Buffer, from: number): number {
  for (let at = jpeg.indexOf(0xff, from); at !== -1; at = jpeg.indexOf(0xff, at + 1)) {
    const next = jpeg[at + 1];
    if (next === undefined) break;
    const isRestart = next >= 0xd0 && next <= 0xd7;
    if (next !== 0 && next !== 0xff && !isRestart) return at;
  }
  return jpeg.length;
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** A progressive file that is cut between two scans has all rows, but blurred: libjpeg does not warn of that. */
function isEachCoefficientWhole(scans: Scan[], components: number): boolean {
  const lows = new Map<number, number[]>();
  for (const scan of scans)
    for (const id of scan.components) {
      const low = lows.get(id) ?? Array<number>(64).fill(-1);
      lows.set(id, low.fill(scan.low, scan.from, scan.to + 1));
    }
  return lows.size === components && [...lows.values()].every((low) => low.every((bit) => bit === 0));
}
