/** The header of a reply: "On Monday, Mara wrote:". */
const REPLY_HEADER =
  /^(on|am|le|el|il|in data|op|den|em|dnia|w dniu|dne|pe)\s.{1,200}(wrote|schrieb|écrit|escribió|ha scritto|schreef|geschreven|skrev|escreveu|napisał(\(a\)|a)?|pisze|napsal(\(a\)|a)?|kirjoitti).{0,80}:$/iu;
/** "Jo <jo@home.example>, 27 nov.:". Each class excludes its neighbors' characters: with \S a hostile line took seconds. */
const ADDRESSED_HEADER = /^.{0,200}[<[][^\s<>[\]@]+@[^\s<>[\]@]+[>\]].{0,60}[:：]$/u;
/** "27.11.2026 10:00, Jo пише:" */
const TIMED_HEADER =
  /^(?=.{0,200}\d[:.]\d{2}).{1,200}\s(пише|написав|написала|a scris|đã viết|menulis|menyatakan|ha escrit|va escriure|skrev|έγραψε|เขียน|เขียนว่า|ने लिखा|כתב|כתבה|كتب|كتبت|napísal\(?a?\)?|napisao\(?la\)?|napisala?|написа|rašė|rakstīja|kirjutas)[^:：]{0,40}[:：]$/iu;
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
  ADDRESSED_HEADER,
  TIMED_HEADER,
];

/** `From: …`, `Von: …`, `差出人：…` */
const HEADER_LINE = /^>?\s*\*?[\p{L}\p{M}][\p{L}\p{M} .’'-]{0,24}\s?[:：]\*?\s*\S/u;
const ADDRESS = /[^\s<>[\]@]@[^\s<>[\]@]/u;
const DATE = /\d{4}|\d[./-]\d/u;
const TIME = /\d{1,2}[:.]\d{2}/u;
const ENDS_WITH_COLON = /[:：]$/u;
const MIN_HEADER_LINES = 3;

/** Whether a quoted or forwarded message begins here, or a signature. */
export function isQuoteStart(lines: string[], index: number): boolean {
  const line = lines[index] ?? '';
  if (END_LINES.some((end) => end.test(line))) return true;
  // Gmail and Outlook wrap long reply headers, which contain a date.
  const next = lines[index + 1] ?? '';
  if (/\d/.test(line) && next !== '') {
    const both = `${line} ${next}`;
    if (REPLY_HEADER.test(both) || ADDRESSED_HEADER.test(both)) return true;
    if (DATE.test(line) && ENDS_WITH_COLON.test(next) && isQuoted(lines, index + 2)) return true;
  }
  if (isHeaderBlock(lines, index)) return true;
  return ENDS_WITH_COLON.test(line) && isQuoted(lines, index + 1);
}

/** The headers of a message, in any language: one has an address, or a date with a time. */
function isHeaderBlock(lines: string[], index: number): boolean {
  const block = lines.slice(index, index + MIN_HEADER_LINES);
  const isComplete = block.length === MIN_HEADER_LINES && block.every((line) => HEADER_LINE.test(line));
  return isComplete && block.some((line) => ADDRESS.test(line) || (TIME.test(line) && DATE.test(line)));
}

function isQuoted(lines: string[], index: number): boolean {
  const next = lines.findIndex((line, at) => at >= index && line !== '');
  return next !== -1 && ((lines[next] ?? '').startsWith('>') || isHeaderBlock(lines, next));
}
