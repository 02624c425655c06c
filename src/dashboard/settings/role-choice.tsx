import type { ListedMember } from '../../contract/schemas/member.ts';

export type MemberRole = ListedMember['role'];

export const roleNames: Record<MemberRole, string> = { READER: 'Reader', OWNER: 'Owner' };

type RoleChoiceProps = {
  label: string;
  value: MemberRole;
  disabled: boolean;
  onChoose: (role: MemberRole) => void;
};

export function RoleChoice({ label, value, disabled, onChoose }: RoleChoiceProps) {
  return (
    <select
      aria-label={label}
      value={value}
      disabled={disabled}
      onChange={({ currentTarget: { value } }) => onChoose(value === 'OWNER' ? 'OWNER' : 'READER')}
    >
      {Object.entries(roleNames).map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  );
}
