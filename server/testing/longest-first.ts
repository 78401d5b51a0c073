import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Of more than half a minute, the longest first: one that began last would run alone. A fresh clone knows no durations. */
const LONGEST = [
  'server/app/upgrade-postgres.test.ts',
  'server/features/imports/imports.test.ts',
  'server/testing/faults/database-stops.test.ts',
  'server/testing/faults/disk-full.test.ts',
  'server/features/backups/restore-backup.test.ts',
  'server/features/inbound-email/email-process-kills.test.ts',
  'server/testing/faults/storage-faults.test.ts',
  'server/features/backups/backup-under-load.test.ts',
  'server/testing/faults/vendor-faults.test.ts',
  'server/platform/image-decoder/image-decoder.test.ts',
  'server/app/admin-main.test.ts',
  'server/features/backups/nightly-backup.test.ts',
  'server/features/caricatures/caricature-routes.test.ts',
  'server/testing/faults/invariants.test.ts',
  'server/testing/faults/smtp-faults.test.ts',
  'server/features/oidc/oidc-routes.test.ts',
  'server/features/deliveries/deliveries.test.ts',
  'server/features/imports/import-bad-files.test.ts',
  'server/testing/faults/random-kills.test.ts',
  'server/features/accounts/unverified-accounts.test.ts',
  'server/features/accounts/email-change.test.ts',
  'e2e/ui/fake-server-contract.test.ts',
  'server/testing/faults/backup-kills.test.ts',
  'server/testing/faults/growing-photos.test.ts',
];

/** The server's tests, then the client's, which are short and need the processor all the time. */
export class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification) => {
      if (project.name === 'client') return LONGEST.length + 1;
      const index = LONGEST.indexOf(relative(this.ctx.config.root, moduleId));
      return index === -1 ? LONGEST.length : index;
    };
    // Stable: the others stay in Vitest's order.
    return (await super.sort(specifications)).sort((a, b) => rank(a) - rank(b));
  }
}
