import { parseCaption, parsePetName } from '../../memories/parse-caption.ts';
import { foldWord } from './fold-word.ts';
import type { ParsedEmail } from './parse-email.ts';

/** Parses the subject, or else the sender's first line, as 'PetName: Caption'. All photos of the email get it. */
export function parseEmailCaption<Pet extends { name: string }>(
  { subject, firstLine }: Pick<ParsedEmail, 'subject' | 'firstLine'>,
  pets: readonly Pet[],
) {
  return parseCaption(stripSubject(subject, (word) => parsePetName(word, pets) !== null) || firstLine, pets);
}

/** Prefixes of replies and forwards, in many languages: https://en.wikipedia.org/wiki/List_of_email_subject_abbreviations */
const PREFIXES = new Set(
  `re fw fwd aw antw wg sv vs vb tr rv r i rif res enc encam odp pd doorst ynt ilt ref trs réf ré
   απ σχετ πρθ на отв ha пересл fs vl bls továbbítás továbbitás vá továb ang atb att yml ylt
   回复 回覆 答复 答覆 转发 轉寄 轉發 返信 転送 답장 회신 전달 전달됨 ตอบ ส่งต่อ إعادة رد השב הועבר`
    .split(/\s+/)
    .map(foldWord),
);
const PREFIX = /^\s*([\p{L}\p{M}]{1,12})\s*(?:\[\d{1,3}\]|\(\d{1,3}\)|\^\d{1,3})?\s*[:：]\s*/u;
/** Mail servers of companies tag external email. */
const TAG = /^\s*\[(?:external|extern|externo|externe|ext)\]\s*:?\s*/iu;
const MAX_PREFIXES = 30;

/** A pet's name is not a prefix: `Vs: at the beach` may be about a pet called Vs. */
function stripSubject(subject: string, isPetName: (word: string) => boolean): string {
  let text = subject.trim();
  for (let n = 0; n < MAX_PREFIXES; n++) {
    const tag = TAG.exec(text);
    const prefix = PREFIX.exec(text);
    const word = prefix?.[1] ?? '';
    const isPrefix = PREFIXES.has(foldWord(word)) && !isPetName(word);
    const found = tag?.[0] ?? (isPrefix ? prefix?.[0] : undefined);
    if (found === undefined) break;
    text = text.slice(found.length);
  }
  return isPlaceholderSubject(text) ? '' : text.trim();
}

/** Written by mail programs for a subject that is empty. */
const NO_SUBJECT = new Set(
  `no subject|none|untitled|kein betreff|ohne betreff|sans objet|aucun objet|pas de sujet|sin asunto|sin titulo|nessun oggetto|
  senza oggetto|geen onderwerp|sem assunto|inget amne|intet emne|ingen emne|ikke noget emne|ei aihetta|ei otsikkoa|brak tematu|
  bez tematu|bez predmetu|zadny predmet|bez predmeta|nincs targy|targy nelkul|fara subiect|niciun subiect|χωρις θεμα|
  κανενα θεμα|konu yok|konusuz|без темы|без теми|нет темы|без тема|без предмета|无主题|無主題|無主旨|没有主题|件名なし|無題|제목 없음|제목없음|
  khong co tieu de|khong co chu de|tanpa subjek|tiada subjek|tidak ada subjek|ไม่มีชื่อเรื่อง|ไม่มีหัวเรื่อง|ไม่มีหัวข้อ|بدون موضوع|
  لا يوجد موضوع|بلا موضوع|ללא נושא|אין נושא|sense assumpte|pealkirjata|teema puudub|be temos|bez temata|कोई विषय नहीं`
    .split('|')
    .map((each) => foldWord(each).trim()),
);

function isPlaceholderSubject(subject: string): boolean {
  const [, inner = subject] = /^[([<（【＜「](.{1,60})[)\]>）】＞」]$/u.exec(subject.trim()) ?? [];
  return NO_SUBJECT.has(foldWord(inner).replace(/\s+/g, ' ').trim());
}
