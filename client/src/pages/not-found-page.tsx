import { Link } from 'wouter';
import { paths } from '../lib/paths.ts';
import { usePageTitle } from '../lib/use-page-title.ts';
import { buttonClasses } from '../ui/button.tsx';

export function NotFoundPage() {
  usePageTitle('Page not found');
  return (
    <div className="mx-auto flex max-w-xl flex-col items-start gap-5 px-5 py-20 sm:px-8 sm:py-32">
      <h1 className="text-display">404 Page Not Found</h1>
      <p className="text-lead text-muted">Did you forget to add the page to the router?</p>
      <Link href={paths.home} className={buttonClasses('secondary')}>
        Go home
      </Link>
    </div>
  );
}
