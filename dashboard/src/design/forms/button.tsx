import type { ComponentChildren, JSX } from 'preact';
import { Icon, type IconName } from '../display/icon.tsx';
import './button.css';

export type ButtonKind = 'primary' | 'ghost' | 'danger' | 'danger-ghost' | 'quiet';

type Look = {
  kind?: ButtonKind;
  isSmall?: boolean;
  icon?: IconName;
  /** Only the icon is visible. Screen readers get the children. */
  isIconOnly?: boolean;
  children?: ComponentChildren;
};

type ButtonProps = Look &
  Omit<JSX.IntrinsicElements['button'], 'icon' | 'disabled'> & {
    /** The button can't be pressed and shows a spinner, but it keeps the focus. */
    isBusy?: boolean;
    isDisabled?: boolean;
  };

export function Button({
  kind,
  isSmall,
  icon,
  isIconOnly,
  isBusy,
  isDisabled,
  children,
  ...others
}: ButtonProps) {
  const { onClick, type = 'button', ...attributes } = others;
  return (
    <button
      {...attributes}
      type={type}
      class={classOf({ kind, isSmall, isIconOnly })}
      aria-disabled={isBusy || isDisabled ? 'true' : undefined}
      aria-busy={isBusy ? 'true' : undefined}
      onClick={isBusy || isDisabled ? (event) => event.preventDefault() : onClick}
    >
      {inside({ icon, isIconOnly, children })}
      {isBusy && <span class="button-spinner" />}
    </button>
  );
}

type LinkProps = Look & JSX.IntrinsicElements['a'] & { href: string };

/** A link that looks like a button. */
export function LinkButton({ kind, isSmall, icon, isIconOnly, children, ...attributes }: LinkProps) {
  return (
    <a {...attributes} class={classOf({ kind, isSmall, isIconOnly })}>
      {inside({ icon, isIconOnly, children })}
    </a>
  );
}

type Undefinable<Type> = { [Key in keyof Type]?: Type[Key] | undefined };

function classOf({ kind = 'ghost', isSmall, isIconOnly }: Undefinable<Look>): string {
  return `button button-${kind}${isSmall ? ' button-small' : ''}${isIconOnly ? ' button-icon' : ''}`;
}

function inside({ icon, isIconOnly, children }: Undefinable<Look>) {
  return (
    <>
      {icon && <Icon name={icon} />}
      {children && <span class={isIconOnly ? 'unseen' : 'button-text'}>{children}</span>}
    </>
  );
}
