import type { AppContext } from '../../platform/context.ts';
import type { ImageDecoder } from '../../platform/image-decoder/image-decoder.ts';
import { findUser, isLimitedUntilVerified } from '../accounts/users/user-queries.ts';

const UNVERIFIED = 'unverified accounts';

/** The decoder serves accounts in turn. Unverified ones share one turn: registering more of them must not get more of it. */
export function shareTurnOfUnverified(
  { config, db }: Pick<AppContext, 'config' | 'db'>,
  decoder: ImageDecoder,
): ImageDecoder {
  if (config.email.transport.kind !== 'smtp') return decoder;
  const accountOf = async (ownerId: string) => {
    const user = await findUser(db, ownerId);
    return user && isLimitedUntilVerified(config, user) ? UNVERIFIED : ownerId;
  };
  return {
    ...decoder,
    withDecodeSlot: async (ownerId, work) => decoder.withDecodeSlot(await accountOf(ownerId), work),
    withRenderSlot: async (ownerId, work) => decoder.withRenderSlot(await accountOf(ownerId), work),
    inspect: async (ownerId, ...rest) => decoder.inspect(await accountOf(ownerId), ...rest),
    cropSquare: async (ownerId, ...rest) => decoder.cropSquare(await accountOf(ownerId), ...rest),
    render: async (ownerId, bytes, renderings, priority) =>
      decoder.render(await accountOf(ownerId), bytes, renderings, priority),
  };
}
