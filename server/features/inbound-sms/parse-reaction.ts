export type Reaction = {
  /** Of a thumb up or a heart. Null for other reactions. */
  change: 'like' | 'unlike' | null;
  /** Whether it is about the last photos, or our reply to them. */
  isAboutPhoto: boolean;
  /** The name in the reply; null if there is none. */
  petName: string | null;
};

const OPEN = '["“”„‟«‹»「『〝＂]';
const CLOSE = '["“”»›«」』〞＂]';
/** Text around a quotation, which may be cut. */
const QUOTATION = new RegExp(
  `^([^"“”„«»「」]{1,60}?)\\s?${OPEN}.+(?:${CLOSE}([^"“”„«»「」]{0,40})|…|\\.{3})$`,
  'su',
);
/** How our own texts begin: who quotes one reacts to it, in whatever language. */
const OUR_TEXT =
  /(?:Added|Moved) \d|Took back \d|There (?:is|are) no photos? |Your (?:last )?(?:photo|number)s? |No photo was added|We do not know|This (?:pet|album) is/;
const OWN_QUOTATION = new RegExp(
  `^(.{0,60}?)${OPEN}\\s?((?:${OUR_TEXT.source}).*?)(?:${CLOSE}(.{0,60}))?$`,
  'su',
);
const PHOTO_REPLY = /^(?:Added|Moved) \d/;
const PET_OF_REPLY = /(?:Added [^.]*? for|Moved [^.]*? to) (.+?)\.(?:\s|$)/s;

const EMOJI =
  '\\p{Extended_Pictographic}[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\u200d\\ufe0e\\ufe0f]*';
const LIKE_EMOJI = /👍|[❤♥❣💓-💟🖤🤍🤎🧡🩵🩶🩷]/u;
/** As iPhones, and Android phones for RCS, write them in English. */
const ENGLISH = new RegExp(
  `^(?:liked|loved|disliked|laughed at|emphasi[sz]ed|questioned|removed (?:an? )?(?:like|heart|dislike|laugh|exclamation(?: mark| point)?|question mark|reaction|sticker|${EMOJI}) from|reacted (?:with )?(?:${EMOJI}|a sticker) to)$`,
  'iu',
);
const ANDROID = new RegExp(`^${EMOJI}\\s?(?:to|zu|à|a|an|til|på|på|do|к|на|naar|op)?$`, 'iu');
const ENGLISH_START = /^(?:liked|loved|disliked|laughed|emphasi[sz]ed|questioned|removed|reacted)(?!\p{L})/iu;
const ENGLISH_LIKE = word('liked?|loved|heart');
const LIKE = word(
  `gefällt|gefiel|mag|mochte|liebt|geliebt|herz|aime|aimé|adore|adoré|cœur|coeur|gustó|gusta|encantó|encanta|corazón
  |piace|piaciuto|adorato|amato|cuore|curtiu|curtida|gostou|gosto|amou|adorou|coração|leuk|geliket|hart|gillade|älskade|hjärta|elskede|hjerte|likte
  |elsket|polubi\\p{L}*|pokocha\\p{L}*|serce|serca|понрав\\p{L}*|нрав\\p{L}*|обожа\\p{L}*|сердц\\p{L}*|beğen\\p{L}*|tykkäsi|rakasti|sydän`,
  'いいね|ハート|赞|讚|喜欢|喜歡|爱心|愛心|좋아|하트',
);
const NOT_LIKE = word(
  `dislike|disliked|nicht|missfällt|pas|no|não|non|niet|ogillade|ikke|nie|не|beğenmedi|ei`,
  'よくないね|不喜欢|不喜歡|踩|싫',
);
const OTHER = word(
  `lacht\\p{L}*|betont\\p{L}*|hervorgehoben|hinterfragt\\p{L}*|ri|rit|accent|insisté|souligné|interrogé|rio|rió|enfati\\p{L}*|destac\\p{L}*|cuestion\\p{L}*|riso
  |interrogativo|riu|questionou|benadrukt\\p{L}*|skrattade|betonade|ifrågasatte|lo|fremhævede|fremhevet|заинтерес\\p{L}*|посме\\p{L}*|выделил\\p{L}*
  |réagi|reagier\\p{L}*|reaccion\\p{L}*|reagito|reagiu|reageerde|reagerade|reagerede|reagerte|отреагир\\p{L}*`,
  '笑|強調|强调|疑問|疑问|ウケ',
);
const ENGLISH_REMOVED = word('removed');
const REMOVED = word(
  `entfernt\\p{L}*|supprimé|retiré|enlevé|eliminó|quitó|rimosso|removeu|retirou|verwijderd\\p{L}*|fjernede|fjernet|usun\\p{L}*|удал\\p{L}*|убра\\p{L}*|kaldır\\p{L}*|poisti|tog`,
  '削除|取り消|移除|取消|删除|刪除|삭제|취소',
);
const IMAGE =
  /(?:^|[\s’'])(?:an?|ein|eine|einen|une?|una|uno|um|uma|een|et|en|ett)[\s’'](?:image|photo|picture|movie|video|vidéo|attachment|sticker|gif|bild|foto|imagen|immagine|imagem|afbeelding|billede|bilde|obraz)(?!\p{L})/iu;
const MAX_WORDS = 6;

/** A tapback of an iPhone, or a reaction of an Android phone, which arrives as a text of its own. Null for other texts. */
export function parseReaction(body: string): Reaction | null {
  const text = body
    .replace(/[\u200b-\u200c\u200e\u200f\u2060\ufeff\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  const own = OWN_QUOTATION.exec(text);
  if (own) {
    const [, before = '', quoted = '', after = ''] = own;
    return toReaction(`${before} ${after}`, { isAboutPhoto: PHOTO_REPLY.test(quoted), quoted });
  }
  const [, lead = '', tail = ''] = QUOTATION.exec(text) ?? [];
  if (lead && isReactionWord(lead, `${lead} ${tail}`))
    return toReaction(`${lead} ${tail}`, { isAboutPhoto: false, quoted: '' });
  return isReactionToImage(text) ? toReaction(text, { isAboutPhoto: true, quoted: '' }) : null;
}

function toReaction(
  said: string,
  { isAboutPhoto, quoted }: { isAboutPhoto: boolean; quoted: string },
): Reaction {
  const isLike =
    LIKE_EMOJI.test(said) || ([ENGLISH_LIKE, LIKE].some((each) => each.test(said)) && !NOT_LIKE.test(said));
  const isRemoved = [ENGLISH_REMOVED, REMOVED].some((each) => each.test(said));
  return {
    change: !isLike ? null : isRemoved ? 'unlike' : 'like',
    isAboutPhoto,
    petName: PET_OF_REPLY.exec(quoted)?.[1] ?? null,
  };
}

/** English is told exactly: "Loved the “zoomies”" is no reaction. */
function isReactionWord(lead: string, said: string): boolean {
  if (ENGLISH_START.test(lead)) return ENGLISH.test(lead);
  if (ANDROID.test(lead)) return true;
  const isShort = said.trim().split(' ').length <= MAX_WORDS;
  return isShort && [LIKE, NOT_LIKE_VERB, OTHER, REMOVED].some((each) => each.test(said));
}

const NOT_LIKE_VERB = word('missfällt|ogillade|beğenmedi', 'よくないね|不喜欢|不喜歡');

function isReactionToImage(text: string): boolean {
  const image = IMAGE.exec(text);
  if (!image || text.split(' ').length > MAX_WORDS + 2) return false;
  const said = text.slice(0, image.index).trim();
  const rest = text.slice(image.index + image[0].length);
  if (ENGLISH_START.test(said)) return ENGLISH.test(said) && rest === '';
  if (ANDROID.test(said)) return rest === '';
  return [LIKE, OTHER, REMOVED].some((each) => each.test(`${said} ${rest}`)) && rest.split(' ').length <= 2;
}

/** Words with letters around them are others; scripts without spaces have none. */
function word(words: string, anywhere = '(?!)'): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${words.replace(/\s+/g, '')})(?!\\p{L})|${anywhere}`, 'iu');
}
