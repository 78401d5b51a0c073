/** Prefixes of replies and forwards, in many languages: https://en.wikipedia.org/wiki/List_of_email_subject_abbreviations */
const PREFIXES = new Set(
  `re fw fwd aw antw wg sv vs vb tr rv r i rif res enc encam odp pd doorst ynt ilt ref trs réf ré
   απ σχετ πρθ на отв ha пересл fs vl bls továbbítás továbbitás vá továb ang atb att yml ylt
   回复 回覆 答复 答覆 转发 轉寄 轉發 返信 転送 답장 회신 전달 전달됨 ตอบ ส่งต่อ إعادة رد השב הועבר`
    .split(/\s+/)
    .map(fold),
);
const PREFIX = /^\s*([\p{L}\p{M}]{1,12})\s*(?:\[\d{1,3}\]|\(\d{1,3}\)|\^\d{1,3})?\s*[:：]\s*/u;
/** Mail servers of companies tag external email. */
const TAG = /^\s*\[(?:external|extern|externo|externe|ext)\]\s*:?\s*/iu;
const MAX_PREFIXES = 30;

/** A pet's name is not a prefix: `Vs: at the beach` may be about a pet called Vs. */
export function stripSubjectPrefixes(
  subject: string,
  isPetName: (word: string) => boolean = () => false,
): string {
  let text = subject.trim();
  for (let n = 0; n < MAX_PREFIXES; n++) {
    const tag = TAG.exec(text);
    const prefix = PREFIX.exec(text);
    const word = prefix?.[1] ?? '';
    const isPrefix = PREFIXES.has(fold(word)) && !isPetName(word);
    const found = tag?.[0] ?? (isPrefix ? prefix?.[0] : undefined);
    if (found === undefined) break;
    text = text.slice(found.length);
  }
  return text.trim();
}

function fold(word: string): string {
  return word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** The header of a reply: "On Monday, Mara wrote:". */
const REPLY_HEADER =
  /^(on|am|le|el|il|in data|op|den|em|dnia|w dniu|dne|pe)\s.{1,200}(wrote|schrieb|écrit|escribió|ha scritto|schreef|geschreven|skrev|escreveu|napisał(\(a\)|a)?|pisze|napsal(\(a\)|a)?|kirjoitti).{0,80}:$/iu;
const END_LINES = [
  // A signature (RFC 3676): its delimiter often loses its trailing space.
  /^--\s?$/,
  // The header of a forwarded message.
  /^_{5,}$/,
  /^-{2,}\s*(original|forwarded|ursprüngliche|message d'origine|oprindelig|oorspronkelijk)/iu,
  /^-{5,}\s?[\p{L}\p{M}\s/.']{4,60}-{5,}$/u,
  /^-{3,}\s?treść przekazanej wiadomości/iu,
  new RegExp(
    `^(${[
      ...['begin forwarded message', 'anfang der weitergeleiteten nachricht', 'inicio del mensaje reenviado'],
      ...[
        'début du message (réexpédié|transféré)',
        'inizio messaggio inoltrato',
        'begin doorgestuurd bericht',
      ],
      ...['início da mensagem (re)?encaminhada', 'start på videresendt besked', 'videresendt melding'],
      ...['vidarebefordrat mejl', 'välitetty viesti alkaa', 'początek przekazywanej wiadomości'],
      ...['začátek přeposílané zprávy', 'továbbított levél kezdete', 'начало переадресованного сообщения'],
    ].join('|')})\\s?:?$`,
    'iu',
  ),
  /^(from|von|de|da|van|från|fra)\s?: .*@/iu,
  REPLY_HEADER,
  /^.{1,200}(написал\(?а?\)?|写道|のメール|のメッセージ|작성|ezt írta|şunu yazdı)\s?[:：]$/u,
  // Each class excludes its neighbors' characters: with \S a hostile line took seconds.
  /^.{0,200}[<[][^\s<>[\]@]+@[^\s<>[\]@]+[>\]].{0,60}:$/u,
];
const DEVICE_SIGNATURES =
  /^(sent from|get outlook|télécharger outlook|envoyé à partir de|sent with|sent via|von meinem .{1,40} gesendet|gesendet (von|mit)|envoyé (de|depuis)|enviado (desde|do)|inviato da|verzonden vanaf|verstuurd vanaf|skickat från|sendt fra|lähetetty|wysłane z|отправлено с|发自我的|iphoneから送信)/iu;
const MAX_LINES = 500;
const LINE_MAX_LENGTH = 1_000;

/** Own: email-reply-parser requires Node 22, and email-forward-parser finds no replies. */
export function firstBodyLine(text: string): string {
  const lines = text.split(/\r\n|[\r\n\u2028\u2029]/, MAX_LINES);
  const trimmed = lines.map((each) => stripControls(each.slice(0, LINE_MAX_LENGTH)).trim());
  for (const [index, line] of trimmed.entries()) {
    if (END_LINES.some((end) => end.test(line))) return '';
    // Gmail and Outlook wrap long reply headers, which contain a date.
    if (/\d/.test(line) && REPLY_HEADER.test(`${line} ${trimmed[index + 1] ?? ''}`)) return '';
    if (line === '' || line.startsWith('>') || DEVICE_SIGNATURES.test(line)) continue;
    if (/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(line)) return line;
  }
  return '';
}

/** Postgres accepts no NUL. */
function stripControls(line: string): string {
  return line.replace(/[^\P{Cc}\t]/gu, '');
}
