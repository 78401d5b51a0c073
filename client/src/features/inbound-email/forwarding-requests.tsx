import type { ForwardingRequest } from '#shared/transfers/inbound-email';
import { classNames } from '../../lib/class-names.ts';
import { formatMoment } from '../../lib/dates.ts';
import { useForwardingRequests } from './held-message-api.ts';

/** Gmail's code for automatic forwarding. Renders nothing while there is none. */
export function ForwardingRequests({ className }: { className?: string }) {
  const { data: requests = [] } = useForwardingRequests();
  if (requests.length === 0) return null;
  return (
    <section
      aria-labelledby="forwarding-requests"
      className={classNames('border-l-2 border-sage py-1 pl-5', className)}
    >
      <h3 id="forwarding-requests" className="text-lead">
        Gmail wants to forward email here
      </h3>
      <p className="mt-1 text-small text-muted">
        If you set this up, enter this code in Gmail’s settings. If not, ignore it: nothing will be forwarded.
      </p>
      <ul className="divide-y divide-hairline">
        {requests.map((request) => (
          <RequestRow key={request.id} request={request} />
        ))}
      </ul>
    </section>
  );
}

function RequestRow({ request: { code, subject, text, createdAt } }: { request: ForwardingRequest }) {
  return (
    <li className="space-y-2 py-4">
      {code && (
        <p>
          Confirmation code <span className="text-lead font-semibold tabular-nums select-all">{code}</span>
        </p>
      )}
      <p className="text-small wrap-anywhere text-muted">
        {subject && (
          <>
            <bdi>{subject}</bdi> ·{' '}
          </>
        )}
        <time dateTime={createdAt}>{formatMoment(createdAt)}</time>
      </p>
      <p dir="auto" className="text-small wrap-anywhere whitespace-pre-wrap">
        {text}
      </p>
    </li>
  );
}
