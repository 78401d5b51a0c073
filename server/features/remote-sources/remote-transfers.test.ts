import { describe, expect, it } from 'vitest';
import { TooManyRequestsError } from '../../platform/errors.ts';
import { createRemoteTransfers, TRANSFER_TIMEOUTS } from './remote-transfers.ts';

describe('transfers of remote photos', () => {
  it('are three of an account at most, which is a tenth of all', () => {
    const { acquireSlot } = createRemoteTransfers(TRANSFER_TIMEOUTS);
    const releases = Array.from({ length: 30 }, (_, index) => acquireSlot(`user ${index % 10}`));
    for (const user of ['user 0', 'somebody else'])
      expect(() => acquireSlot(user)).toThrow(TooManyRequestsError);
    releases[0]?.();
    // Idempotent: it gives back one slot.
    releases[0]?.();
    acquireSlot('user 0');
    expect(() => acquireSlot('somebody else')).toThrow(TooManyRequestsError);
  });
});
