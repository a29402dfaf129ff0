// The mailbox does not exist or is closed, in German, French, Spanish, Italian, Portuguese, Polish and Dutch. Accents
// are folded before a row is tried; `.?` stands where mojibake leaves a second character.
import type { ReplyRow } from '../reply-row.ts';

export const MAILBOX_EUROPE_ROWS: readonly ReplyRow[] = [
  {
    // Before every row that would close the mailbox for good.
    match:
      /\bvoru\S{0,2}bergehend|temporairement|temporalmente|temporaneamente|temporariamente|tijdelijk|tymczasowo|tillfalligt|midlertidig|docasne|ideiglenes|gecici|временно|тимчасово|προσωρινά|一時的|暂时|暫時|일시/,
    means: 'temporary',
    seen: '550 Das Postfach ist vorübergehend gesperrt',
    composed: true,
  },
  // German
  {
    match:
      /(?:empfa.{0,2}nger(?:adresse)?|benutzer|nutzer|user|adressat|postfach|mailbox|konto|e?-?mail-?adresse|adresse|teilnehmer|account)(?: MAIL| NAME|:| ist| wurde| war| hier| existiert| leider| konnte| kann){0,8} (?:unbekannt|nicht bekannt|nicht gefunden|existiert nicht|gibt es nicht|nicht vorhanden|nicht existent|nicht|unga.?.?ltig|ungueltig|falsch|nicht erreichbar|nicht zustellbar)/,
    means: 'no_mailbox',
    seen: '550 Adressat unbekannt oder Mailbox deaktiviert',
  },
  {
    match:
      /(?:unbekannter?|unga.?.?ltiger?|ungultiger?|ungueltiger?|falscher?|kein(?:e|en|er)?(?: solche[rsn]?)?|nicht existierender?) (?:empfa.{0,2}nger|benutzer|nutzer|user|adressat|postfach|mailbox|account|adresse|e-?mail-?adresse)|\bniemand\b[^.]{0,30} bekannt/,
    means: 'no_mailbox',
    seen: '550 Niemand unter dieser Adresse bekannt',
  },
  {
    match:
      /(?:empfa.{0,2}nger(?:adresse)?|postfach|mailbox|konto|benutzer|e?-?mail-?adresse|adresse|account)(?:(?! hat | haben )[^.]){0,30}(?:deaktiviert|gesperrt|gelo.{1,2}scht|geloscht|stillgelegt|geschlossen|inaktiv|abgeschaltet|nicht mehr|ungultig)/,
    means: 'no_mailbox',
    seen: '550 5.2.1 Dieses Postfach wurde deaktiviert',
    composed: true,
  },
  // French
  {
    match:
      /(?:destinataire|utilisateur|adresse|compte|boite(?: aux lettres| mail)?|usager|abonne)s?(?: MAIL| NAME|:| d'au moins un| d au moins un| destinataire| electronique| e-?mail| mail| de| reception| est){0,8} (?:inconnue?|invalide|inexistante?|introuvable|non trouvee?|n'existe p(?:as|lus)|n existe p(?:as|lus)|incorrecte?|erronee?|non valide|pas valide|non (?:recense|repertorie|reference)e?)/,
    means: 'no_mailbox',
    seen: '550 5.5.0 Adresse d au moins un destinataire invalide. OFR204_416 [416]',
  },
  {
    match:
      /(?:destinataire|utilisateur|compte|boite(?: aux lettres| mail)?|adresse)[^.]{0,40}(?:desactivee?|suspendue?|fermee?|cloturee?|supprimee?|resiliee?|archivee?|(?<!\ba )bloquee?|inactive?|expiree?|n.?est plus)/,
    means: 'no_mailbox',
    seen: '550 5.5.0 Le compte du destinataire est bloque. The recipient account isblocked. LPN007_426',
  },
  {
    match: /(?:aucun|pas d[e'] ?)(?: tel)? ?(?:destinataire|utilisateur|compte|abonne|boite)/,
    means: 'no_mailbox',
    seen: '550 5.1.1 Aucun utilisateur de ce nom',
    composed: true,
  },
  // Spanish
  {
    match:
      /(?:usuario|destinatario|cuenta|buzon|casilla|direccion)(?: MAIL| NAME|:| de correo| de destino| electronic[oa]| e-?mail| es| del destinatario| indicad[oa]){0,8} (?:desconocid[oa]|no existe|inexistente|no encontrad[oa]|no valid[oa]|invalid[oa]|no se encuentra|incorrect[oa]|no (?:ha sido|fue) encontrad[oa]|no es valid[oa]|no esta disponible)/,
    means: 'no_mailbox',
    seen: '550 5.1.1 <info@example.es>: Usuario desconocido',
    composed: true,
  },
  {
    match:
      /(?:no existe|no hay|ya no hay|desconocid[oa]|no (?:se )?(?:encontro|encuentra)|invalid[oa])(?: el| la| esa| ese| este| esta| dich[oa]| ningun[oa]?)? (?:usuario|persona|destinatario|cuenta|buzon|casilla|direccion)|ya no hay nadie/,
    means: 'no_mailbox',
    seen: '550 No existe dicha persona',
  },
  {
    match:
      /(?:usuario|destinatario|cuenta|buzon|casilla|direccion)[^.]{0,40}(?:desactivad|deshabilitad|suspendid|cancelad|eliminad|(?<!\bhan? )bloquead|cerrad|inactiv|expirad|dad[oa] de baja|caducad)/,
    means: 'no_mailbox',
    seen: '550 Esta casilla ha expirado por falta de uso',
  },
  // Italian
  {
    match:
      /(?:utente|destinatario|destin\.|casella|indirizzo|account|mailbox)(?: MAIL| NAME|:| di posta| elettronica| e-?mail| email| del destinatario| e){0,8} (?:sconosciut[oa]|inesistente|non (?:esiste|trovat[oa]|valid[oa]|conosciut[oa]|presente|e valid[oa]|e stat[oa] trovat[oa])|errat[oa])/,
    means: 'no_mailbox',
    seen: '550 Destinatario sconosciuto o mailbox disatttivata',
  },
  {
    match:
      /(?:nessun[oa]?|non esiste|sconosciut[oa])(?: tale| alcun| un| il| questo| l')? ?(?:utente|destinatario|casella|indirizzo|account)/,
    means: 'no_mailbox',
    seen: '550 Nessun utente simile in questo indirizzo',
  },
  {
    match:
      /(?:utente|destinatario|casella|indirizzo|account)[^.]{0,40}(?:disabilitat|disattivat|sospes|chius[oa]|cancellat|rimoss|(?<!\bhan?n?o? )bloccat|scadut|inattiv|non (?:e )?(?:piu )?attiv)/,
    means: 'no_mailbox',
    seen: "550 Questo indirizzo e' bloccato per inutilizzo",
  },
  // Portuguese
  {
    match:
      /(?:usuario|utilizador|destinatario|conta|caixa postal|caixa de correio|endereco)(?: MAIL| NAME|:| de e-?mail| e-?mail| do destinatario){0,8} (?:desconhecid[oa]|nao (?:existe|encontrad[oa]|e valid[oa]|foi encontrad[oa]|cadastrad[oa]|localizad[oa])|inexistente|invalid[oa])/,
    means: 'no_mailbox',
    seen: '550 5.1.1 <info@example.com.br>: Usuário desconhecido',
    composed: true,
  },
  {
    match:
      /(?:usuario|utilizador|destinatario|conta|caixa postal|caixa de correio|endereco)[^.]{0,40}(?:desativad|desactivad|desabilitad|suspens|cancelad|encerrad|(?<!\bhan? )bloquead|removid|inativ|excluid|expirad)/,
    means: 'no_mailbox',
    seen: '550 5.2.1 Usuário inativo',
  },
  // Polish
  {
    match:
      /(?:nieznany|niepoprawny|nieprawidlowy|bledny) (?:adresat|odbiorca|uzytkownik|adres)|(?:u.{1,2}ytkownik|adresat|odbiorca|skrzynka|konto|adres)[^.]{0,30}(?:nie istnieje|nieznany|nie znalezion|zablokowan|usunie|nieaktywn)|(?:brak|nie ma) (?:takiego |takiej )?(?:uzytkownika|adresata|odbiorcy|konta|skrzynki)/,
    means: 'no_mailbox',
    seen: '550 Nie ma takiego konta',
  },
  // Dutch
  {
    match:
      /(?:gebruiker|ontvanger|geadresseerde|postvak|mailbox|e-?mailadres|adres)(?: MAIL| NAME|:| is){0,8} (?:onbekend|bestaat niet|niet gevonden|ongeldig|niet bekend|niet actief|opgeheven|uitgeschakeld)|(?:onbekende|ongeldige) (?:gebruiker|ontvanger|geadresseerde)/,
    means: 'no_mailbox',
    seen: '550 5.1.1 Gebruiker onbekend',
    composed: true,
  },
];
