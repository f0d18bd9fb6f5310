import { Link, type LinkProps } from '@tanstack/react-router';

export const AuthLink = (props: LinkProps) => <Link {...props} className="font-medium text-accent underline underline-offset-4" />;
