import { Button, type ButtonProps } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { useHref, useLinkClickHandler } from 'react-router-dom';

interface ButtonLinkProps extends Pick<ButtonProps, 'appearance' | 'icon' | 'size'> {
  to: string;
  children: ReactNode;
}

/** A link to another page that looks like a button. */
export function ButtonLink({ to, ...button }: ButtonLinkProps) {
  const href = useHref(to);
  const onClick = useLinkClickHandler<HTMLAnchorElement>(to);
  return <Button {...button} as="a" href={href} onClick={onClick} />;
}
