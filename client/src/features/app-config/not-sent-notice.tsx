import { useQuery } from '@tanstack/react-query';
import { OutboxAccess } from '#shared/api/app-config';
import { apiGet } from '../../lib/api/api-client.ts';
import { classNames } from '../../lib/class-names.ts';
import { useAppConfig } from './app-config-api.ts';

interface NotSentNoticeProps {
  kind: 'email' | 'sms';
  className?: string;
}

const TEXTS = {
  email: { reason: 'No mail server is set up', sent: 'no email is sent', stored: 'email stays in' },
  sms: { reason: 'No text message service is set up', sent: 'no text is sent', stored: 'texts stay in' },
};

/** Says that what a form sends will not arrive. Renders nothing where a mail server or SMS provider is set up. */
export function NotSentNotice({ kind, className }: NotSentNoticeProps) {
  const { data: config } = useAppConfig();
  const { data: outbox } = useQuery({
    queryKey: ['/dev/outbox/access'],
    queryFn: ({ signal }) => apiGet('/dev/outbox/access', OutboxAccess, signal),
    enabled: config?.outboxEnabled ?? false,
  });
  if (config?.[`${kind}Enabled`] ?? true) return null;
  const { reason, sent, stored } = TEXTS[kind];
  return (
    <p className={classNames('max-w-2xl border-l-2 border-edge py-1 pl-5', className)}>
      {reason}, so{' '}
      {outbox?.hasKey ? (
        <>
          {stored}{' '}
          <a
            href="/dev/outbox"
            target="_blank"
            rel="noreferrer"
            className="whitespace-nowrap underline decoration-hairline decoration-2 underline-offset-4 hover:decoration-accent"
          >
            the outbox
          </a>
        </>
      ) : (
        sent
      )}
      .
    </p>
  );
}
