import { parseCaption, parsePetName } from '../memories/parse-caption.ts';
import type { InboundMessageRow } from './inbound-sms-queries.ts';
import type { Reaction } from './parse-reaction.ts';

/** Twilio replies to these itself: https://help.twilio.com/articles/223134027 */
const TWILIO_KEYWORDS = new Set([
  ...['stop', 'stopall', 'unsubscribe', 'cancel', 'end', 'quit', 'revoke', 'optout'],
  ...['start', 'yes', 'unstop'],
  ...['help', 'info'],
]);

export function isHandledByTwilio(body: string): boolean {
  return TWILIO_KEYWORDS.has(toKeyword(body));
}

/** Takes the last photos back. */
const UNDO_KEYWORD = 'undo';

type Command = Pick<InboundMessageRow, 'kind' | 'petId' | 'caption'>;

/** With photos: 'PetName: Caption'. Without: UNDO, a reaction to our reply, or the name of a pet, to which the last photos move. */
export function parseSmsCommand(
  { body, media }: { body: string; media: readonly object[] },
  reaction: Reaction | null,
  pets: readonly { id: string; name: string }[],
): Command {
  if (media.length > 0) {
    const { pet, caption } = parseCaption(body, pets);
    return { kind: 'photos', petId: pet?.id ?? null, caption };
  }
  if (toKeyword(body) === UNDO_KEYWORD) return { kind: 'undo', petId: null, caption: null };
  const pet = parsePetName(reaction?.change ? (reaction.petName ?? '') : body, pets);
  const kind = reaction?.change ?? (pet ? 'move' : 'no-photos');
  return { kind, petId: pet?.id ?? null, caption: null };
}

/** Ignores case, spaces and punctuation. */
function toKeyword(body: string): string {
  return body
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}
