import type { User } from '#shared/accounts/user';
import { useAppConfig } from '../app-config/app-config-api.ts';
import { InboundEmailAddress } from './inbound-email-address.tsx';
import { ForwardingRequests } from './forwarding-requests.tsx';
import { AllowedSendersSection } from './allowed-senders.tsx';

/** How to add photos by email. Renders nothing while inbound email is off. */
export function EmailInstructions({ user }: { user: User }) {
  const { data: config } = useAppConfig();
  if (!user.inboundEmail) return null;
  return (
    <section aria-labelledby="email-photos" className="mt-12 space-y-8 border-t border-hairline pt-8">
      <div className="space-y-4">
        <h2 id="email-photos" className="text-title">
          Email your photos
        </h2>
        <p>This address is yours alone. Photos you send to it are added automatically, in full quality.</p>
      </div>
      <InboundEmailAddress
        address={user.inboundEmail}
        phoneNumber={user.phoneVerified ? (config?.phoneNumber ?? null) : null}
      />
      <ForwardingRequests />
      <dl className="space-y-3">
        <div>
          <dt className="font-semibold">PetName: Caption</dt>
          <dd className="text-muted">In the subject line, for example “Rex: First snow”.</dd>
        </div>
        <div>
          <dt className="font-semibold">No subject</dt>
          <dd className="text-muted">The first line of the email becomes the caption.</dd>
        </div>
      </dl>
      <AllowedSendersSection user={user} />
    </section>
  );
}
