import { describe, expect, it } from 'vitest';
import { parseReaction } from './parse-reaction.ts';

const REPLY = 'Added 1 photo for Rex. Reply UNDO to take it back.';

describe('a reaction to the reply to a photo', () => {
  it.each([
    `Liked “${REPLY}”`,
    `Loved "${REPLY}"`,
    `Loved « ${REPLY} »`,
    `\u200bLiked \u200b“\u200b${REPLY}\u200b”\u200b`,
    `Reacted 👍 to “${REPLY}”`,
    `Reacted with ❤️ to “${REPLY}”`,
    `Reacted 👍🏽 to “${REPLY}”`,
    `\u200a\u200b👍\u200b to “\u200a${REPLY}\u200a”`,
    `Loved “${REPLY.slice(0, 30)}…”`,
    `Loved “Added 1 photo for Rex. Reply\nUNDO to take it back.”`,
    `Gefällt „${REPLY}“`,
    `Hat „${REPLY}“ mit „Gefällt mir“ markiert`,
    `A aimé « ${REPLY} »`,
    `A réagi avec 👍 à « ${REPLY} »`,
    `Le encantó “${REPLY}”`,
    `Ha messo “Mi piace” a “${REPLY}”`,
    `Curtiu “${REPLY}”`,
    `Vindt ‘’ “${REPLY}” leuk`,
    `Gillade ”${REPLY}”`,
    `Понравилось «${REPLY}»`,
    `「${REPLY}」を「いいね」しました`,
    `喜欢了“${REPLY}”`,
    `“${REPLY}” beğendi`,
    `${' '}👍 zu „${REPLY}“`,
  ])('is a like: %j', (body) => {
    expect(parseReaction(body)).toEqual({
      change: 'like',
      isAboutPhoto: true,
      petName: 'Rex',
    });
  });

  it.each([
    `Removed a like from “${REPLY}”`,
    `Removed a heart from "${REPLY}"`,
    `Removed 👍 from “${REPLY}”`,
    `A supprimé un « J’aime » de « ${REPLY} »`,
    `Eliminó un “Me gusta” de “${REPLY}”`,
    `Hat „Gefällt mir“ von „${REPLY}“ entfernt`,
  ])('takes a like back: %j', (body) => {
    expect(parseReaction(body)).toMatchObject({ change: 'unlike', isAboutPhoto: true });
  });

  it.each([
    `Laughed at “${REPLY}”`,
    `Emphasized “${REPLY}”`,
    `Emphasised “${REPLY}”`,
    `Questioned “${REPLY}”`,
    `Disliked “${REPLY}”`,
    `Removed a laugh from “${REPLY}”`,
    `Removed a dislike from “${REPLY}”`,
    `Reacted 😂 to “${REPLY}”`,
    `Reacted with a sticker to “${REPLY}”`,
    `No le gustó “${REPLY}”`,
    `N’a pas aimé « ${REPLY} »`,
    `Gefällt „${REPLY}“ nicht`,
    `Не понравилось «${REPLY}»`,
    `Lachte über „${REPLY}“`,
    `Zareagował na „${REPLY}”`,
  ])('changes nothing: %j', (body) => {
    expect(parseReaction(body)).toMatchObject({ change: null });
  });
});

describe('a reaction to something else', () => {
  it.each([
    ['Loved an image', 'like', true],
    ['Liked a photo', 'like', true],
    ['Removed a heart from an image', 'unlike', true],
    ['Laughed at an image', null, true],
    ['Reacted ❤️ to an image', 'like', true],
    ['A adoré une image', 'like', true],
    ['Le gustó una imagen', 'like', true],
    ['Ha adorato un’immagine', 'like', true],
    ['Hat ein Bild geliebt', 'like', true],
    ['Liked “See you at six”', 'like', false],
    ['A aimé « Salut maman »', 'like', false],
    ['Gefällt „Bis gleich“', 'like', false],
    ['Liked “There is no photo in this text. Send one.”', 'like', false],
    ['👍 to “123456 is your code”', 'like', false],
  ])('%j: %s, about a photo: %s', (body, change, isAboutPhoto) => {
    expect(parseReaction(body)).toEqual({ change, isAboutPhoto, petName: null });
  });
});

describe('a text that looks like a reaction', () => {
  it.each([
    'Loved this walk',
    'Liked by everyone at the park',
    'Loved the “zoomies” today',
    'Loved the “zoomies”',
    'Liked the “ball”, loved the stick',
    'Loved an image of her so much that we printed it',
    'Loved an afternoon at the lake',
    'Removed a tick from Rex',
    'Reacted badly to the vet',
    'Questioned by the vet',
    'Rex: loved his “new bed”',
    '“Sit!” and he sat',
    'UNDO',
    'Rex',
    '👍',
    '👍 to the vet',
    '❤️ Rex',
    '“',
    '',
  ])('is none: %j', (body) => {
    expect(parseReaction(body)).toBeNull();
  });

  it('is read in no time, also if it is hostile', () => {
    for (const part of ['“', 'a ', '”“', 'Loved “', '👍', 'an image ', '…'])
      parseReaction(part.repeat(1600 / part.length));
  });
});
