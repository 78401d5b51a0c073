import { Spinner } from './spinner.tsx';

interface LoadingScreenProps {
  text?: string;
  /** True if it is the page's only content: the text becomes its h1. */
  isPage?: boolean;
}

export function LoadingScreen({ text = 'Loading...', isPage = false }: LoadingScreenProps) {
  return (
    <div role="status" className="flex min-h-[60vh] items-center justify-center gap-3 text-muted">
      <Spinner />
      {isPage ? <h1 className="font-sans text-body font-normal tracking-normal">{text}</h1> : text}
    </div>
  );
}
