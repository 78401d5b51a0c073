import { jsonAnswer } from '../floor/floor-context.ts';
import type { BenchCase } from './bench-case.ts';

export const userCase: BenchCase = {
  name: 'Current user',
  target: null,
  requests: () => [{ path: '/api/user' }],
  floor: ({ user }) =>
    Promise.resolve(
      jsonAnswer({
        id: user.id,
        email: user.email,
        username: user.username,
        firstName: user.first_name,
        lastName: user.last_name,
        phoneNumber: user.phone_number,
        phoneVerified: user.phone_verified_at !== null,
        // Mail stays on this machine: nobody needs to prove an address.
        emailVerified: true,
        inboundEmail: null,
        createdAt: user.created_at.toISOString(),
      }),
    ),
};
