import { jsonResponse } from '../baseline/baseline-context.ts';
import type { BenchCase } from './bench-case.ts';

const userCase: BenchCase = {
  name: 'Current user',
  target: null,
  requests: () => [{ path: '/api/user' }],
  baseline: ({ user }) =>
    Promise.resolve(
      jsonResponse({
        id: user.id,
        email: user.email,
        username: user.username,
        firstName: user.first_name,
        lastName: user.last_name,
        phoneNumber: user.phone_number,
        phoneVerified: user.phone_verified_at !== null,
        // Without SMTP, no email address needs verification.
        emailVerified: true,
        isAdmin: user.is_admin,
        verifyEmailBy: null,
        inboundEmail: `${user.inbound_token}@in.mems.localhost`,
        createdAt: user.created_at.toISOString(),
      }),
    ),
};

export const userCases: BenchCase[] = [
  userCase,
  { ...userCase, name: 'The same, compared to Express', target: 0.9, comparedTo: 'Express' },
];
