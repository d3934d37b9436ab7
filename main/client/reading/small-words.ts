import { words } from './words.ts';

/** The word of what a pattern asks for: these are about the form of one value, and compare no two fields. */
export const comparesForm = new Set(
  words(`
    pattern format regex regular regexp expression required patron formato muster motif padrao following
    criteria requirements
  `),
);

/** Between two fields these mean that the sentence is about the first, and compares it with the second. */
export const compares = new Set(
  words(`
    similar contain contains include includes same different differ equal match matches based resemble like part
    similares contener contenga incluir parecida parecido igual distinta distinto diferente coincidir semejante
    conter contenha semelhante parecido incluir contenir ressembler similaire identique differents different
    inclure ressemble proche enthalten ahnlich ahneln gleich identisch correspondre
  `),
);

/** More than one password is the password and the repeated one. */
export const severalPasswords = new Set(words('passwords contrasenas claves senhas mots passworter kennworter'));

/** German says at the end of a sentence what it compares. */
export const comparesAtEnd = new Set(words('entsprechen ahneln enthalten ubereinstimmen gleichen'));

/** The words before `name` that leave it the name of a person. Others make it that of a company, a file, a table. */
export const beforeName = new Set(
  words(`
    the a your this that with valid invalid missing empty field attribute property parameter same and or new
    duplicate provide enter no bad der den dein deinen ihr ihren ein einen diesem dieser dem feld und oder
    gultigen s by
  `),
);

/** Beside whoever exists and that they do, a sentence may have these words and still be about nothing else. */
export const fillers = new Set(
  words(`
    the a an this that these those with given provided such same is are was has have already been be there one
    in on at by of for it its and again please try to you your s t d l sorry error exception failed failure
    register registration signup sign up cannot could not create creating unable created new system database db
    record our here registered email details credentials data information conflict found just instead login log
    el la los las un una ese esa este esta con ya en de del al lo se ha sido hay base datos sistema sentimos
    registrar registro crear dicho dicha otro otra que mismo misma tiene uso encuentra ingresado ingresados
    estos esos o os as um uma esse essa com ja em no na do da foi banco dados erro cadastro le les une cet cette
    ce avec deja dans ete est systeme donnees erreur il y der die das ein eine einen dieser diese dieses diesem
    mit bereits schon im es gibt ist wird wurde fehler datenbank werden http api app service exists
  `),
);

/** Words of the sentence that somebody is registered already, where nobody is named: it is whoever registers. */
export const you = new Set(
  words(`
    you are re have ve is sorry error usted tu te ya estas esta con nosotros vous etes du sie bist sind voce
    este ja the with us here
  `),
);

/** Between two fields these make them a list, so that a sentence is about both. */
export const joins = new Set(
  words(`
    and or nor as well the your a an both either y o u e ni el la los las su tu sus un una ou os seu sua et le
    les votre und oder das der die dein ihr s une uma il lo l gli tua tuo oppure d dem den deine noch ne this that
  `),
);

/** Those of them that leave open which of the two is meant. */
export const either = new Set(words('or nor o u ou ni oder noch oppure'));
