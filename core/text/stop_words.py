"""Function words by language: words that say nothing about the topic of a text."""

from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

_GERMAN = """
aber alle allem allen aller alles als also am an andere anderem anderen anderer anderes auch auf
aus bei beim bin bis bist da dabei dadurch dafür damit dann darauf das dass dein deine deinem
deinen deiner dem den denn der des dessen deshalb die dies diese diesem diesen dieser dieses dir
doch dort du durch ein eine einem einen einer eines er es etwas euch euer eure für gegen hab habe
haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem
ins ist ja jede jedem jeden jeder jedes jedoch jene jenem jenen jener jenes jetzt kann kein keine
keinem keinen keiner können könnte machen man manche mein meine meinem meinen meiner mich mir mit
muss musste nach nicht nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seit
selbst sich sie sind so solche soll sollte sondern sonst über um und uns unser unsere unter viel
vom von vor wann war waren warum was weg weil weiter welche welchem welchen welcher wenn wer werde
werden wie wieder will wir wird wirst wo wollen wurde wurden während würde würden zu zum zur zwar
zwischen
"""

_FRENCH = """
ai aie ait alors au aucun aucune aurait aussi autre autres aux avaient avait avant avec avoir ayant
car ce ceci cela celle celles celui ces cet cette ceux chaque chez comme comment dans de depuis des
donc dont du elle elles en encore entre es est et étaient étais était étant été être eu eux fait
faire fois font furent fut hors ici il ils je jusque la là le les leur leurs lors lorsque lui ma
mais me même mes moi moins mon ne ni non nos notre nous on ont or ou où par parce pas pendant peu
peut plus pour pourquoi puis qu quand que quel quelle quelles quels qui quoi sa sans se selon sera
seront ses si sien soi soit sommes son sont sous suis sur ta te tel telle telles tels tes toi ton
tous tout toute toutes très tu un une vers vos votre vous
"""

_SPANISH = """
al algo alguna algunas alguno algunos ante antes aquel aquella aquellas aquellos aquí así aunque
bajo bien cada casi como con contra cual cuales cuando cuyo de del desde donde dos durante el él
ella ellas ello ellos en entre era eran eres es esa esas ese eso esos esta está están estar estaba
estaban estado estas este esto estos fue fueron ha había habían han has hasta hay he la las le les
lo los más me mi mí mientras mis mismo misma mucho muchos muy nada ni no nos nosotros nuestra
nuestras nuestro nuestros o os otra otras otro otros para pero poco por porque pues que qué quien
quién quienes se sea sean según ser será si sí sido sin sino sobre solo sólo somos son soy su sus
suya suyo tal también tampoco tan tanto te tener tenía tiene tienen toda todas todo todos tras tu
tú tus un una unas uno unos usted ustedes vosotros y ya yo
"""

_ITALIAN = """
ad agli ai al alla alle allo altra altre altri altro anche ancora avere aveva avevano avuto che chi
ci cioè coi col come con contro cosa così cui da dagli dai dal dalla dalle dallo degli dei del dell
della delle dello dentro di dopo dove due ed era erano essere fa fino fra già gli ha hai hanno ho
il in io la le lei li lo loro lui ma me meno mentre mi mia mie miei mio molto ne negli nei nel nell
nella nelle nello no noi non nostra nostre nostri nostro ogni oppure per perché però più poco poi
prima può qua qual quale quali quando quanto quella quelle quelli quello questa queste questi
questo qui quindi se sei senza si sia siamo siano sono sopra sotto sta stata state stati stato su
sua sue sugli sui sul sulla sulle sullo suo suoi tra tu tua tue tuo tuoi tutta tutte tutti tutto un
una uno vi voi vostra vostro
"""

_PORTUGUESE = """
ainda algo alguém algum alguma algumas alguns ante antes ao aos apenas aquela aquelas aquele
aqueles aquilo as às assim até bem cada com como contra cuja cujo da das de dela delas dele deles
depois desde dessa desse desta deste do dos durante e é ela elas ele eles em entre era eram essa
essas esse esses esta está estão estas estava estavam este estes estou eu foi foram for fosse há
havia isso isto já la lhe lhes lo logo mais mas me mesma mesmo meu meus mim minha minhas muito
muitos na nada não nas nem nenhum nessa nesse nesta neste no nos nós nossa nossas nosso nossos num
numa o os ou outra outras outro outros para pela pelas pelo pelos perante pode podem por porque
porém pois quais qual quando quanto que quê quem se seja sem sempre sendo ser será seu seus sido
sim só sob sobre sua suas são também tal tão te tem têm tendo ter teu tinha tinham toda todas todo
todos tu tua tudo um uma umas uns vai você vocês vos
"""

_DUTCH = """
aan achter al alle alleen alles als altijd ander andere ben bent bij binnen boven daar daarom dan
dat de deze die dit doch doen door dus een eens en er ge geen geweest haar had hadden heb hebben
heeft hem hen het hier hij hoe hun iemand iets ik in is ja je jij jou jouw jullie kan kon kunnen
maar me meer men met mij mijn moet moeten na naar niet niets nog nu of om omdat onder ons onze ook
op over reeds sinds te tegen terwijl toch toen tot tussen uit uw van veel voor waar waarom want
waren was wat we wel welke werd werden wie wij wil worden wordt zal ze zelf zich zij zijn zo
zonder zou zouden zulke
"""

#: Language -> its words in lower case.
STOP_WORDS: dict[str, frozenset[str]] = {
    "dutch": frozenset(_DUTCH.split()),
    "english": ENGLISH_STOP_WORDS,
    "french": frozenset(_FRENCH.split()),
    "german": frozenset(_GERMAN.split()),
    "italian": frozenset(_ITALIAN.split()),
    "portuguese": frozenset(_PORTUGUESE.split()),
    "spanish": frozenset(_SPANISH.split()),
}
