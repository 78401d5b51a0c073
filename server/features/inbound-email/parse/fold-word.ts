/** Letters that Unicode does not decompose. */
const UNDECOMPOSED: Record<string, string> = { ł: 'l', đ: 'd', ø: 'o', ı: 'i', ß: 'ss', æ: 'ae' };

/** Ignores case and accents. */
export function foldWord(word: string): string {
  return word
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[łđøıßæ]/g, (letter) => UNDECOMPOSED[letter] ?? letter);
}
