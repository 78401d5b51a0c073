import { Link } from 'wouter';
import { paths } from '../lib/routing/paths.ts';
import { usePageTitle } from '../lib/routing/use-page-title.ts';
import { buttonClasses } from '../ui/buttons/button.tsx';
import { MessagePage } from '../ui/message-page.tsx';

export function NotFoundPage() {
  usePageTitle('Page not found');
  return (
    <MessagePage title="404 Page Not Found">
      <p className="text-lead text-muted">Did you forget to add the page to the router?</p>
      <Link href={paths.home} className={buttonClasses({ variant: 'secondary' })}>
        Go home
      </Link>
    </MessagePage>
  );
}
