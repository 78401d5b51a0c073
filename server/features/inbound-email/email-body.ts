/** What programs put before the subject of an answer or of a mail that is passed on, in the languages people write in. */
const PREFIXES = new Set(
  `re fw fwd aw antw wg sv vs vb tr rv r i rif res enc encam odp pd doorst ynt ilt ref trs réf ré
   απ σχετ πρθ на отв ha пересл fs vl bls továbbítás továbbitás vá továb ang atb att yml ylt
   回复 回覆 答复 答覆 转发 轉寄 轉發 返信 転送 답장 회신 전달 전달됨 ตอบ ส่งต่อ إعادة رد השב הועבר`
    .split(/\s+/)
    .map(withoutMarks),
);
const PREFIX = /^\s*([\p{L}\p{M}]{1,12})\s*(?:\[\d{1,3}\]|\(\d{1,3}\)|\^\d{1,3})?\s*[:：]\s*/u;
/** What a company's mail server writes before subjects from elsewhere. */
const MARK = /^\s*\[(?:external|extern|externo|externe|ext)\]\s*:?\s*/iu;
const MOST_PREFIXES = 30;

/** A subject as its writer meant it. What is the name of a pet is no prefix: `Vs: at the beach` may be about Vs. */
export function dropPrefixes(subject: string, isPetName: (word: string) => boolean = () => false): string {
  let text = subject.trim();
  for (let n = 0; n < MOST_PREFIXES; n++) {
    const mark = MARK.exec(text);
    const prefix = PREFIX.exec(text);
    const word = prefix?.[1] ?? '';
    const isPrefix = PREFIXES.has(withoutMarks(word)) && !isPetName(word);
    const dropped = mark?.[0] ?? (isPrefix ? prefix?.[0] : undefined);
    if (dropped === undefined) break;
    text = text.slice(dropped.length);
  }
  return text.trim();
}

function withoutMarks(word: string): string {
  return word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** A line after which nothing is the writer's own any more. */
const ENDS = [
  // A signature (RFC 3676): its mark often loses its space on the way.
  /^--\s?$/,
  /^_{5,}$/,
  // What programs write above the mail that is answered or passed on.
  /^-{2,}\s*(original|forwarded|weitergeleitete|ursprüngliche|message d'origine|message transféré|mensaje|messaggio|doorgestuurd|oorspronkelijk)/iu,
  /^begin forwarded message:?$/iu,
  /^(anfang der weitergeleiteten|début du message)/iu,
  /^(from|von|de|da|van|från|fra)\s*: .*@/iu,
  // "On Monday, Mara wrote:", in its languages.
  /^(on|am|le|el|il|op|den|em|dnia)\s.{1,200}(wrote|schrieb|écrit|escribió|ha scritto|schreef|skrev|escreveu|napisał\(?a?\)?).{0,60}:$/iu,
  /^.{1,200}(написал\(?а?\)?|写道|のメール)\s*[:：]$/u,
];
/** What telephones write below a mail by themselves. */
const ADVERTISEMENTS =
  /^(sent from|get outlook|sent with|sent via|von meinem .{1,40} gesendet|gesendet (von|mit)|envoyé (de|depuis)|enviado (desde|do)|inviato da|verzonden vanaf|verstuurd vanaf|skickat från|sendt fra|lähetetty|wysłane z|отправлено с|发自我的|iphoneから送信)/iu;
const MOST_LINES = 500;
const LONGEST_LINE = 1_000;

/** The first line that somebody wrote: no quotation, no signature, nothing that a program wrote below or above. */
export function firstOwnLine(text: string): string {
  const lines = text.split(/\r\n|[\r\n\u2028\u2029]/, MOST_LINES);
  for (const line of lines.map((each) => withoutControls(each.slice(0, LONGEST_LINE)).trim())) {
    if (ENDS.some((end) => end.test(line))) return '';
    if (line === '' || line.startsWith('>') || ADVERTISEMENTS.test(line)) continue;
    if (/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(line)) return line;
  }
  return '';
}

/** No writer typed them, and no database takes a NUL. */
function withoutControls(line: string): string {
  return line.replace(/[^\P{Cc}\t]/gu, '');
}
