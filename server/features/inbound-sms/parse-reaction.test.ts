import { describe, expect, it } from 'vitest';
import { parseReaction } from './parse-reaction.ts';

const ANSWER = 'Added 1 photo for Rex. Reply UNDO to take it back.';

describe('a reaction to the answer to a photo', () => {
  it.each([
    `Liked “${ANSWER}”`,
    `Loved "${ANSWER}"`,
    `Loved « ${ANSWER} »`,
    `\u200bLiked \u200b“\u200b${ANSWER}\u200b”\u200b`,
    `Reacted 👍 to “${ANSWER}”`,
    `Reacted with ❤️ to “${ANSWER}”`,
    `Reacted 👍🏽 to “${ANSWER}”`,
    `\u200a\u200b👍\u200b to “\u200a${ANSWER}\u200a”`,
    `Loved “${ANSWER.slice(0, 30)}…”`,
    `Loved “Added 1 photo for Rex. Reply\nUNDO to take it back.”`,
    `Gefällt „${ANSWER}“`,
    `Hat „${ANSWER}“ mit „Gefällt mir“ markiert`,
    `A aimé « ${ANSWER} »`,
    `A réagi avec 👍 à « ${ANSWER} »`,
    `Le encantó “${ANSWER}”`,
    `Ha messo “Mi piace” a “${ANSWER}”`,
    `Curtiu “${ANSWER}”`,
    `Vindt ‘’ “${ANSWER}” leuk`,
    `Gillade ”${ANSWER}”`,
    `Понравилось «${ANSWER}»`,
    `「${ANSWER}」を「いいね」しました`,
    `喜欢了“${ANSWER}”`,
    `“${ANSWER}” beğendi`,
    `${' '}👍 zu „${ANSWER}“`,
  ])('is a like: %j', (body) => {
    expect(parseReaction(body)).toEqual({
      change: 'like',
      isAboutPhoto: true,
      petName: 'Rex',
    });
  });

  it.each([
    `Removed a like from “${ANSWER}”`,
    `Removed a heart from "${ANSWER}"`,
    `Removed 👍 from “${ANSWER}”`,
    `A supprimé un « J’aime » de « ${ANSWER} »`,
    `Eliminó un “Me gusta” de “${ANSWER}”`,
    `Hat „Gefällt mir“ von „${ANSWER}“ entfernt`,
  ])('takes a like back: %j', (body) => {
    expect(parseReaction(body)).toMatchObject({ change: 'unlike', isAboutPhoto: true });
  });

  it.each([
    `Laughed at “${ANSWER}”`,
    `Emphasized “${ANSWER}”`,
    `Emphasised “${ANSWER}”`,
    `Questioned “${ANSWER}”`,
    `Disliked “${ANSWER}”`,
    `Removed a laugh from “${ANSWER}”`,
    `Removed a dislike from “${ANSWER}”`,
    `Reacted 😂 to “${ANSWER}”`,
    `Reacted with a sticker to “${ANSWER}”`,
    `No le gustó “${ANSWER}”`,
    `N’a pas aimé « ${ANSWER} »`,
    `Gefällt „${ANSWER}“ nicht`,
    `Не понравилось «${ANSWER}»`,
    `Lachte über „${ANSWER}“`,
    `Zareagował na „${ANSWER}”`,
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
