import type { Translation } from '../../language/catalogue.ts';
import type { SHARING_TEXT } from './text.ts';

export const SHARING_GERMAN: Translation<typeof SHARING_TEXT> = {
  loading: 'Berechtigungen werden geladen',
  list: 'Geteilt mit',
  columns: { who: 'Geteilt mit', permission: 'Berechtigung', actions: 'Aktionen' },
  empty: 'Keine Berechtigungen für einzelne Benutzer, Teams oder Rollen.',
  visibility: {
    private: 'Privat: nur für den Eigentümer, Administratoren und die Berechtigten unten.',
    shared: 'Geteilt: für alle Benutzer, die Workflows und Agenten starten dürfen.',
  },
  notSharable: 'Nur der Eigentümer und Administratoren können ändern, wer Zugriff hat.',
  mine: (permissions) => `Sie dürfen: ${permissions.join(', ')}.`,
  mayView: 'ansehen',
  mayRun: 'starten',
  mayEdit: 'bearbeiten',
  user: (name) => name,
  team: (name) => `Team ${name}`,
  role: (name) => `Alle mit der Rolle ${name} oder höher`,
  permissions: { view: 'Ansehen', run: 'Starten', edit: 'Bearbeiten', approve: 'Freigeben' },
  permissionHints: {
    view: 'Definition und alle Ausführungen',
    run: 'Ansehen, starten und abbrechen',
    edit: 'Starten und ändern. Geplante Läufe verwenden die Rechte und Geheimnisse des Eigentümers',
    approve: 'Ansehen und freigeben, wenn der Workflow keine Freigebenden nennt',
  },
  form: {
    title: 'Teilen',
    kind: 'Mit',
    kinds: { user: 'Benutzer', team: 'Team', role: 'Rolle' },
    user: 'Benutzername',
    team: 'Team',
    noTeams: 'Keine Teams. Administratoren erstellen sie.',
    role: 'Rolle',
    choose: 'Auswählen',
    permission: 'Berechtigung',
    submit: 'Teilen',
    done: 'Geteilt.',
  },
  remove: (who) => `Berechtigung von ${who} entfernen`,
  removeShort: 'Entfernen',
  removed: 'Berechtigung entfernt.',
};
