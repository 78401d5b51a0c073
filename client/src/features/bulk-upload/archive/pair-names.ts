/** What Google Takeout appends to the names of sidecars, and cuts anywhere. */
const SUFFIX = 'supplemental-metadata';
/** From this length on, Google cuts names. */
const CUT_LENGTH = 44;
const START_LENGTH = 40;
const EDITED = [
  ...['edited', 'bearbeitet', 'modifié', 'modifiée', 'editado', 'editada', 'ha editado', 'modificato'],
  ...['bewerkt', 'edytowane', 'redigerad', 'redigeret', 'düzenlendi', '編集済み', '편집됨', 'изменено'],
];
const EXTENSION = /\.[^.]{1,5}$/;

/** A name without its number: `IMG(1).jpg` and `IMG.jpg(1)` are `img.jpg` with number 1. Lower case, composed Unicode. */
interface Name {
  text: string;
  number: number;
}

function normalize(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/**
 * Finds the sidecar of each photo in one folder of a Google Takeout, which may be in several zips.
 * @param sidecars names that end with `.json`
 * @returns the sidecar by the photo's name, without photos that have none
 */
export function pairNames(photos: readonly string[], sidecars: readonly string[]): Map<string, string> {
  const byStart = new Map<string, { sidecar: string; name: Name }[]>();
  for (const sidecar of sidecars) {
    const name = toSidecarName(sidecar);
    for (const each of [name, { text: normalize(sidecar).slice(0, -'.json'.length), number: 0 }]) {
      const key = startOf(each);
      byStart.set(key, [...(byStart.get(key) ?? []), { sidecar, name: each }]);
    }
  }
  const pairs = new Map<string, string>();
  for (const photo of photos) {
    let best = { score: 0, sidecar: '' };
    for (const [rank, variant] of toVariants(photo).entries()) {
      for (const { sidecar, name } of byStart.get(startOf(variant)) ?? []) {
        const score = matchScore(variant, name) - rank;
        if (score > best.score) best = { score, sidecar };
      }
    }
    if (best.score > 0) pairs.set(photo, best.sidecar);
  }
  return pairs;
}

/** The same for a photo's name and for those of its possible sidecars. */
function startOf({ text, number }: Name): string {
  return `${number} ${(text.split('.')[0] ?? '').slice(0, START_LENGTH)}`;
}

function toSidecarName(sidecar: string): Name {
  const base = normalize(sidecar).slice(0, -'.json'.length);
  const [, text = base, number = '0'] = /^(.*)\((\d+)\)$/.exec(base) ?? [];
  return { text, number: Number(number) };
}

/** The photo's own name, that of its original if it was edited, and both with the number as a part of the name. */
function toVariants(photo: string): Name[] {
  const whole = normalize(photo);
  const extension = EXTENSION.exec(whole)?.[0] ?? '';
  const stem = whole.slice(0, whole.length - extension.length);
  const [, plain = stem, number = '0'] = /^(.*)\((\d+)\)$/.exec(stem) ?? [];
  const own = { text: plain + extension, number: Number(number) };
  const original = withoutEdited(plain);
  return [
    own,
    { text: whole, number: 0 },
    ...(original === null ? [] : [{ text: original + extension, number: Number(number) }]),
  ];
}

/** Null if it was not edited. A long name is cut within the word. */
function withoutEdited(stem: string): string | null {
  const at = stem.lastIndexOf('-');
  if (at <= 0) return null;
  const word = stem.slice(at + 1);
  const isLong = stem.length >= CUT_LENGTH - 4;
  const isEdited = EDITED.some((each) => each === word || (isLong && word !== '' && each.startsWith(word)));
  return isEdited ? stem.slice(0, at) : null;
}

/** 0 if they do not belong together. */
function matchScore(photo: Name, sidecar: Name): number {
  if (photo.number !== sidecar.number) return 0;
  const scores = [sidecar.text, withoutSuffix(sidecar.text)].map((text) =>
    text === null ? 0 : textScore(photo.text, text),
  );
  return Math.max(...scores);
}

/** Null without the suffix, or a beginning of it. */
function withoutSuffix(text: string): string | null {
  const at = text.lastIndexOf('.');
  const end = text.slice(at + 1);
  return at > 0 && SUFFIX.startsWith(end) ? text.slice(0, at) : null;
}

function textScore(photo: string, sidecar: string): number {
  const stem = photo.replace(EXTENSION, '');
  if (photo === sidecar) return 100;
  // Cut within the extension, or within a long name.
  if (photo.startsWith(sidecar) && sidecar.length > stem.length) return 90;
  if (stem === sidecar) return 80;
  if (photo.startsWith(sidecar) && sidecar.length >= CUT_LENGTH) return 70;
  // Of a live photo, or converted.
  return stem === sidecar.replace(EXTENSION, '') ? 60 : 0;
}
