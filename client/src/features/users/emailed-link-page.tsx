import { useMutation } from '@tanstack/react-query';
import { useState, type ComponentProps, type ReactNode } from 'react';
import { Link } from 'wouter';
import { ApiError } from '../../lib/api/api-client.ts';
import { paths } from '../../lib/routing/paths.ts';
import { usePageTitle } from '../../lib/routing/use-page-title.ts';
import { Button, buttonClasses } from '../../ui/buttons/button.tsx';
import { MessagePage } from '../../ui/message-page.tsx';
import { CHECK_CONNECTION, showError } from '../../ui/toasts/show-error.ts';
import { useEmailedToken } from './use-emailed-token.ts';

interface EmailedLinkPageProps {
  pageTitle: string;
  /** Asks for a click: mail scanners open links. */
  question: { title: string; text: string };
  button: Pick<ComponentProps<typeof Button>, 'children' | 'pendingText' | 'variant'>;
  /** Sends the link's token. */
  onConfirm: (token: string) => Promise<unknown>;
  errorTitle: string;
  invalidText: string;
  /** Unless `onConfirm` leaves the page. */
  done?: { title: string; text: string };
}

/** For a link in an email that does one thing, perhaps in a browser where nobody is signed in. */
export function EmailedLinkPage(props: EmailedLinkPageProps) {
  const token = useEmailedToken();
  return <EmailedLink key={token} token={token} {...props} />;
}

function EmailedLink({ token, ...page }: EmailedLinkPageProps & { token: string }) {
  usePageTitle(page.pageTitle);
  const [isInvalid, setInvalid] = useState(false);
  const {
    mutate: confirm,
    isPending,
    isSuccess,
  } = useMutation({
    mutationFn: () => page.onConfirm(token),
    onError: (error) => {
      if (error instanceof ApiError && error.status === 422) setInvalid(true);
      else showError(error, page.errorTitle, CHECK_CONNECTION);
    },
  });
  if (isSuccess && page.done) {
    return (
      <MessagePage title={page.done.title} takesFocus>
        <p className="text-lead text-muted">{page.done.text}</p>
      </MessagePage>
    );
  }
  if (token === '' || isInvalid) {
    return (
      <InvalidLinkPage takesFocus={isInvalid} text={page.invalidText}>
        <Link href={paths.forgotPassword} className={buttonClasses()}>
          Choose a new password
        </Link>
      </InvalidLinkPage>
    );
  }
  return (
    <MessagePage title={page.question.title}>
      <p className="text-lead text-muted">{page.question.text}</p>
      <Button {...page.button} onClick={() => confirm()} isPending={isPending} />
    </MessagePage>
  );
}

interface InvalidLinkPageProps {
  takesFocus: boolean;
  text: ReactNode;
  /** What to do instead. */
  children: ReactNode;
}

export function InvalidLinkPage({ takesFocus, text, children }: InvalidLinkPageProps) {
  return (
    <MessagePage title="This link no longer works" takesFocus={takesFocus}>
      <p className="text-lead text-muted">{text}</p>
      {children}
    </MessagePage>
  );
}
