(** * Queries as programs

    A row is a tuple of cells; a cell is a pair of whether it is NULL, and a value that is the default where it is.  A
    query is then a program of the language over bags of such tuples, and the rules for programs are rules for queries. *)
From Tallystick Require Export Check.
From Tallystick.queries Require Meaning.
Module Q := Meaning.

(** ** Values *)

(** A number for each text: in base 256, with digits from 1. Texts are compared for equality alone. *)
Fixpoint code (s : string) : Z := match s with
  | EmptyString => 0 | String a s => Z.of_nat (Ascii.nat_of_ascii a) + 1 + 256 * code s end.
Lemma letter_bound a : 0 <= Z.of_nat (Ascii.nat_of_ascii a) < 256.
Proof. pose proof (Ascii.nat_ascii_bounded a). lia. Qed.
Lemma code_bound s : 0 <= code s.
Proof. induction s as [|a s]; cbn [code]; [lia|]. pose proof (letter_bound a). lia. Qed.
Lemma code_injective s t : code s = code t -> s = t.
Proof.
  revert t; induction s as [|a s IH]; destruct t as [|b t]; cbn [code]; auto; intros E.
  - pose proof (letter_bound b). pose proof (code_bound t). lia.
  - pose proof (letter_bound a). pose proof (code_bound s). lia.
  - pose proof (letter_bound a). pose proof (letter_bound b). assert (code s = code t) by lia.
    assert (Ascii.nat_of_ascii a = Ascii.nat_of_ascii b) by lia.
    rewrite <- (Ascii.ascii_nat_embedding a), <- (Ascii.ascii_nat_embedding b), H2. f_equal. auto.
Qed.

Definition is_null (v : Q.value) := match v with Q.Null => true | _ => false end.
Definition base_ty (k : Q.kind) := match k with Q.Truths => TBool | _ => TInt end.
Definition base (k : Q.kind) (v : Q.value) : val := match k, v with
  | Q.Numbers, Q.Number z => VInt z | Q.Texts, Q.Text s => VInt (code s) | Q.Truths, Q.Truth b => VBool b
  | Q.Truths, _ => VBool false | _, _ => VInt 0 end.
Definition of_kind (k : Q.kind) (v : Q.value) : bool := match k, v with
  | _, Q.Null | Q.Numbers, Q.Number _ | Q.Truths, Q.Truth _ | Q.Texts, Q.Text _ => true | _, _ => false end.
Lemma base_typed k v : has_type (base k v) (base_ty k).
Proof. destruct k, v; exact I. Qed.
Lemma base_injective k v w : of_kind k v = true -> of_kind k w = true -> is_null v = is_null w -> base k v = base k w -> v = w.
Proof. destruct k, v, w; cbn; try discriminate; auto; intros _ _ _ [= E]; try congruence. f_equal. now apply code_injective. Qed.
Lemma same_cells k v w : of_kind k v = true -> of_kind k w = true ->
  Q.same v w = Bool.eqb (is_null v) (is_null w) && veqb (base k v) (base k w).
Proof.
  intros V W. unfold Q.same. destruct (Q.value_eq_dec v w) as [<-|N].
  - now rewrite veqb_refl, Bool.eqb_reflx.
  - symmetry. apply not_true_is_false. rewrite andb_true_iff, Bool.eqb_true_iff, veqb_eq. intros [A B]. eauto using base_injective.
Qed.

(** ** Rows *)
Definition cell_ty k := TTup [TBool; base_ty k].
Definition cell k v := VTup [VBool (is_null v); base k v].
Fixpoint cells (ks : list Q.kind) (r : Q.row) : list val := match ks with
  | [] => [] | k :: ks => cell k (hd Q.Null r) :: cells ks (tl r) end.
Definition row_ty ks := TTup (map cell_ty ks).
Definition enc ks r := VTup (cells ks r).
Definition of_kinds (ks : list Q.kind) (r : Q.row) := Forall2 (fun k v => of_kind k v = true) ks r.
Lemma enc_typed ks r : has_type (enc ks r) (row_ty ks).
Proof.
  apply has_type_tup. revert r; induction ks as [|k ks IH]; intros r; cbn; constructor; auto.
  apply has_type_tup. repeat constructor. apply base_typed.
Qed.
Lemma enc_injective ks r s : of_kinds ks r -> of_kinds ks s -> enc ks r = enc ks s -> r = s.
Proof.
  intros R; revert s; induction R as [|k v ks r V R IH]; intros s S; inversion S; subst; auto. unfold enc. cbn. intros [= A B C].
  f_equal; [eapply base_injective; eauto|]. apply IH; auto. unfold enc. congruence.
Qed.
Lemma nth_cells ks i k r : nth_error ks i = Some k -> nth i (cells ks r) nothing = cell k (nth i r Q.Null).
Proof.
  revert i r; induction ks as [|j ks IH]; intros [|i] r; cbn [nth_error cells nth]; try discriminate.
  - intros [= ->]. now destruct r.
  - intros N. rewrite (IH i (tl r) N). destruct r; cbn; auto. now destruct i.
Qed.
Lemma nth_row_ty ks i k : nth_error ks i = Some k -> nth_error (map cell_ty ks) i = Some (cell_ty k).
Proof. apply map_nth_error. Qed.

(** ** Expressions *)
Definition literal (k : Q.kind) (v : Q.value) : term := match base k v with VBool b => Bool b | VInt z => Int z | _ => Int 0 end.
Definition neg (t : term) := mk Not [t].
(** An expression is compiled where columns have kinds and terms, each for whether it is NULL and for its value; and so may have
    disjunctions over the rows of subqueries. *)
Section Terms.
  Variables (column : nat -> nat -> option Q.kind) (cell_at : nat -> nat -> term * term) (some : Q.expression -> Q.query -> option (term * term)).
  Fixpoint kind_in (e : Q.expression) : option Q.kind := match e with
    | Q.Column s i => column s i
    | Q.Constant k v => when (of_kind k v) (Some k)
    | Q.Plus a b => match kind_in a, kind_in b with Some Q.Numbers, Some Q.Numbers => Some Q.Numbers | _, _ => None end
    | Q.Times _ a => match kind_in a with Some Q.Numbers => Some Q.Numbers | _ => None end
    | Q.Compare c a b => match c, kind_in a, kind_in b with
        | _, Some Q.Numbers, Some Q.Numbers
        | Q.Equal, Some Q.Truths, Some Q.Truths | Q.Equal, Some Q.Texts, Some Q.Texts
        | Q.Same, Some Q.Truths, Some Q.Truths | Q.Same, Some Q.Texts, Some Q.Texts => Some Q.Truths
        | _, _, _ => None end
    | Q.Both a b | Q.Either a b => match kind_in a, kind_in b with Some Q.Truths, Some Q.Truths => Some Q.Truths | _, _ => None end
    | Q.Negated a => match kind_in a with Some Q.Truths => Some Q.Truths | _ => None end
    | Q.IsNull a => match kind_in a with Some _ => Some Q.Truths | None => None end
    | Q.When c a b => match kind_in c, kind_in a, kind_in b with
        | Some Q.Truths, Some Q.Numbers, Some Q.Numbers => Some Q.Numbers
        | Some Q.Truths, Some Q.Truths, Some Q.Truths => Some Q.Truths
        | Some Q.Truths, Some Q.Texts, Some Q.Texts => Some Q.Texts
        | _, _, _ => None end
    | Q.ForSome c q => match some c q with Some _ => Some Q.Truths | None => None end
    | Q.TheValue _ => None
    end.
  (** Whether the value is NULL, and the value; the default of its type where it is NULL. *)
  Fixpoint compiled_in (e : Q.expression) : term * term := match e with
    | Q.Column s i => cell_at s i
    | Q.Constant k v => (Bool (is_null v), literal k v)
    | Q.Plus a b => let '(n, x) := compiled_in a in let '(m, y) := compiled_in b in
        (disj [n; m], ite (disj [n; m]) (Int 0) (Op Add [x; y]))
    | Q.Times c a => let '(n, x) := compiled_in a in (n, Op (Scale c) [x])
    | Q.Compare c a b => let '(n, x) := compiled_in a in let '(m, y) := compiled_in b in match c with
        | Q.Same => (Bool false, conj [eq' n m; eq' x y])
        | Q.Equal => (disj [n; m], conj [neg (disj [n; m]); eq' x y])
        | Q.Below => (disj [n; m], conj [neg (disj [n; m]); Op Less [x; y]])
        | Q.AtMost => (disj [n; m], conj [neg (disj [n; m]); Op LessEq [x; y]])
        end
    | Q.Both a b => let '(n, x) := compiled_in a in let '(m, y) := compiled_in b in
        (conj [disj [n; m]; disj [n; x]; disj [m; y]], conj [x; y])
    | Q.Either a b => let '(n, x) := compiled_in a in let '(m, y) := compiled_in b in
        (conj [disj [n; m]; neg x; neg y], disj [x; y])
    | Q.Negated a => let '(n, x) := compiled_in a in (n, conj [neg n; neg x])
    | Q.IsNull a => (Bool false, fst (compiled_in a))
    | Q.When c a b => let '(n, x) := compiled_in a in let '(m, y) := compiled_in b in let d := snd (compiled_in c) in
        (ite d n m, ite d x y)
    | Q.ForSome c q => match some c q with Some t => t | None => (Bool true, Bool true) end
    | Q.TheValue _ => (Bool true, Bool true)
    end.
End Terms.
(** In programs, of one row. *)
Definition kind_of (ks : list Q.kind) : Q.expression -> option Q.kind :=
  kind_in (fun s i => match s with O => nth_error ks i | _ => None end) (fun _ _ => None).
Definition compiled (T : ty) : Q.expression -> term * term :=
  compiled_in (fun _ i => (proj (proj (Elem T) i) 0, proj (proj (Elem T) i) 1)) (fun _ _ => None).

(** What a term is in some place: its type, and its value. *)
Section Places.
  Variables (en : env) (ce ca : option ty) (e a : val).
  Hypotheses (EN : typed en) (FE : fits ce e) (FA : fits ca a).
  Definition is_term (t : term) (u : ty) (v : val) := typeof ce ca t = Some u /\ eval en e a t = v.
  Notation "t ~> v : u" := (is_term t u v) (at level 70, v at next level).

  Lemma made o args u v : Op o args ~> v : u -> mk o args ~> v : u.
  Proof. intros [A B]. destruct (mk_ok ce ca en e a EN FE FA o args u A). split; congruence. Qed.
  Lemma neg_is n b : n ~> VBool b : TBool -> neg n ~> VBool (negb b) : TBool.
  Proof. intros [A B]. apply made. split; cbn [typeof run in_order]; [now rewrite A|]. now rewrite B, toB_bool. Qed.
  Lemma truths l bs : Forall2 (fun t b => t ~> VBool b : TBool) l bs ->
    forallb (fun o => is o TBool) (map (typeof ce ca) l) = true /\ map (eval en e a) l = map VBool bs.
  Proof. induction 1 as [|t b l bs [A B] _ [IH1 IH2]]; cbn [map forallb]; auto. rewrite A, B, IH1, IH2. auto. Qed.
  Lemma conj_is l bs : Forall2 (fun t b => t ~> VBool b : TBool) l bs -> conj l ~> VBool (forallb (fun b => b) bs) : TBool.
  Proof.
    intros H. destruct (truths _ _ H) as [A B]. apply made. split; cbn [typeof run in_order]; [now rewrite A|]. rewrite B. f_equal.
    clear. induction bs; cbn [map forallb]; rewrite ?toB_bool; congruence.
  Qed.
  Lemma disj_is l bs : Forall2 (fun t b => t ~> VBool b : TBool) l bs -> disj l ~> VBool (existsb (fun b => b) bs) : TBool.
  Proof.
    intros H. destruct (truths _ _ H) as [A B]. apply made. split; cbn [typeof run in_order]; [now rewrite A|]. rewrite B. f_equal.
    clear. induction bs; cbn [map existsb]; rewrite ?toB_bool; congruence.
  Qed.
  Lemma eq_is x y u v w : x ~> v : u -> y ~> w : u -> eq' x y ~> VBool (veqb v w) : TBool.
  Proof. intros [A B] [C D]. apply made. split; cbn [typeof run in_order]; [rewrite A, C; cbn; now rewrite ty_eqb_refl|]. now rewrite B, D. Qed.
  Lemma ite_is c x y u b v w : c ~> VBool b : TBool -> x ~> v : u -> y ~> w : u -> ite c x y ~> (if b then v else w) : u.
  Proof.
    intros [A B] [C D] [E F]. apply made. split; cbn [typeof run in_order]; [rewrite A, C, E; cbn; now rewrite ty_eqb_refl|].
    rewrite B, toB_bool, D, F. reflexivity.
  Qed.
  Lemma proj_is x i us u v : x ~> v : TTup us -> nth_error us i = Some u -> proj x i ~> component i v : u.
  Proof. intros [A B] C. apply made. split; cbn [typeof run in_order]; [now rewrite A|]. now rewrite B. Qed.
  Lemma bool_is b : Bool b ~> VBool b : TBool. Proof. split; reflexivity. Qed.
  Lemma literal_is k v : literal k v ~> base k v : base_ty k.
  Proof. unfold literal. split; destruct k, v; reflexivity. Qed.

End Places.

Section Expressions.
  Variables (en : env) (ce ca : option ty) (e0 a0 : val) (db : Q.database) (rs : list Q.row).
  Variables (column : nat -> nat -> option Q.kind) (cell_at : nat -> nat -> term * term) (some : Q.expression -> Q.query -> option (term * term)).
  Hypotheses (EN : typed en) (FE : fits ce e0) (FA : fits ca a0).
  Notation "t ~> v : u" := (is_term en ce ca e0 a0 t u v) (at level 70, v at next level).
  Definition cell_is (t : term * term) (k : Q.kind) (v : Q.value) :=
    of_kind k v = true /\ fst t ~> VBool (is_null v) : TBool /\ snd t ~> base k v : base_ty k.
  Hypothesis COL : forall s i k, column s i = Some k -> cell_is (cell_at s i) k (nth i (nth s rs []) Q.Null).
  Hypothesis SOME : forall c q t, some c q = Some t -> cell_is t Q.Truths (Q.value_of db rs (Q.ForSome c q)).
  Notation kind_of := (kind_in column some).
  Notation compiled := (compiled_in cell_at some).
  Let made := made en ce ca e0 a0 EN FE FA.
  Let neg_is := neg_is en ce ca e0 a0 EN FE FA.
  Let conj_is := conj_is en ce ca e0 a0 EN FE FA.
  Let disj_is := disj_is en ce ca e0 a0 EN FE FA.
  Let eq_is := eq_is en ce ca e0 a0 EN FE FA.
  Let ite_is := ite_is en ce ca e0 a0 EN FE FA.
  Let proj_is := proj_is en ce ca e0 a0 EN FE FA.
  Let bool_is := bool_is en ce ca e0 a0.
  Let literal_is := literal_is en ce ca e0 a0.

  Ltac one_by_one := repeat (apply Forall2_cons || apply Forall2_nil).
  Lemma compiled_in_is e : forall k, kind_of e = Some k -> let (n, x) := compiled e in let v := Q.value_of db rs e in
    of_kind k v = true /\ n ~> VBool (is_null v) : TBool /\ x ~> base k v : base_ty k.
  Proof.
    induction e as [s i|k0 v|a IHa b IHb|c a IHa|c a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa|a IHa|c IHc a IHa b IHb|c IHc q|q];
      intros k K; cbn [compiled_in Q.value_of kind_in] in K |- *.
    - specialize (COL s i k K). now destruct (cell_at s i).
    - destruct (of_kind k0 v) eqn:O; [|discriminate]. inversion K; subst. split; [exact O|]. split; [apply bool_is|apply literal_is].
    - destruct (kind_of a) as [[]|]; try discriminate. destruct (kind_of b) as [[]|]; try discriminate. inversion K; subst.
      specialize (IHa _ eq_refl). specialize (IHb _ eq_refl). destruct (compiled a) as [n x], (compiled b) as [m y].
      destruct IHa as (A1 & A2 & A3), IHb as (B1 & B2 & B3).
      pose proof (disj_is [n; m] [_; _] ltac:(one_by_one; [exact A2|exact B2])) as D.
      assert (S : Op Add [x; y] ~> VInt (toZ (base Q.Numbers (Q.value_of db rs a)) + (toZ (base Q.Numbers (Q.value_of db rs b)) + 0)) : TInt).
      { destruct A3 as [A3 A4], B3 as [B3 B4]. split; cbn [typeof run in_order map forallb fold_right]; [now rewrite A3, B3|]. now rewrite A4, B4. }
      pose proof (ite_is _ _ _ _ _ _ _ D (literal_is Q.Numbers (Q.Number 0)) S) as E.
      destruct (Q.value_of db rs a), (Q.value_of db rs b); try discriminate; cbn in D, E |- *; auto. rewrite Z.add_0_r in E. auto.
    - destruct (kind_of a) as [[]|]; try discriminate. inversion K; subst.
      specialize (IHa _ eq_refl). destruct (compiled a) as [n x]. destruct IHa as (A1 & A2 & A3 & A4).
      split; [destruct (Q.value_of db rs a); auto|]. split; [destruct (Q.value_of db rs a); try discriminate; exact A2|].
      split; cbn [typeof run in_order]; [now rewrite A3|]. rewrite A4. destruct (Q.value_of db rs a); try discriminate; cbn; f_equal; lia.
    - assert (H : exists j, kind_of a = Some j /\ kind_of b = Some j /\ k = Q.Truths /\ (j = Q.Numbers \/ c = Q.Equal \/ c = Q.Same)).
      { clear -K. destruct c, (kind_of a) as [[]|], (kind_of b) as [[]|]; inversion K; eauto 9. }
      destruct H as (j & KA & KB & -> & J). specialize (IHa _ KA). specialize (IHb _ KB).
      destruct (compiled a) as [n x], (compiled b) as [m y]. destruct IHa as (A1 & A2 & A3), IHb as (B1 & B2 & B3).
      pose proof (disj_is [n; m] [_; _] ltac:(one_by_one; [exact A2|exact B2])) as D.
      pose proof (eq_is _ _ _ _ _ A3 B3) as E. pose proof (eq_is _ _ _ _ _ A2 B2) as N.
      pose proof (conj_is [neg (disj [n; m]); eq' x y] [_; _] ltac:(one_by_one; [exact (neg_is _ _ D)|exact E])) as E'.
      pose proof (conj_is [eq' n m; eq' x y] [_; _] ltac:(one_by_one; [exact N|exact E])) as N'.
      assert (VE : forall p q : bool, veqb (VBool p) (VBool q) = Bool.eqb p q) by (intros [] []; reflexivity).
      assert (L : j = Q.Numbers -> Op Less [x; y] ~> VBool (toZ (base j (Q.value_of db rs a)) <? toZ (base j (Q.value_of db rs b))) : TBool).
      { intros ->. destruct A3 as [A3 A4], B3 as [B3 B4]. split; cbn [typeof run in_order]; [now rewrite A3, B3|]. rewrite A4, B4, Z.ltb_antisym.
        now destruct (Q.value_of db rs a), (Q.value_of db rs b). }
      assert (L' : j = Q.Numbers -> Op LessEq [x; y] ~> VBool (toZ (base j (Q.value_of db rs a)) <=? toZ (base j (Q.value_of db rs b))) : TBool).
      { intros ->. destruct A3 as [A3 A4], B3 as [B3 B4]. split; cbn [typeof run in_order]; [now rewrite A3, B3|]. rewrite A4, B4.
        now destruct (Q.value_of db rs a), (Q.value_of db rs b). }
      pose proof (same_cells j _ _ A1 B1) as SC.
      destruct c; cbn [Q.compare].
      + (* equal *) destruct (Q.value_of db rs a) eqn:VA; [|destruct (Q.value_of db rs b) eqn:VB..]; cbn [is_null orb existsb forallb negb andb] in *;
          try (split; [reflexivity|split; [exact D|exact E']]);
          (split; [reflexivity|split; [exact D|]]); cbn [base]; rewrite SC; cbn [is_null Bool.eqb andb] in *; rewrite ?andb_true_r in E'; exact E'.
      + destruct J as [->|[?|?]]; try discriminate. specialize (L eq_refl).
        pose proof (conj_is [neg (disj [n; m]); Op Less [x; y]] [_; _] ltac:(one_by_one; [exact (neg_is _ _ D)|exact L])) as F.
        destruct (Q.value_of db rs a) eqn:VA, (Q.value_of db rs b) eqn:VB; try discriminate; cbn [is_null orb existsb forallb negb andb base toZ] in *;
          rewrite ?andb_true_r in F; auto.
      + destruct J as [->|[?|?]]; try discriminate. specialize (L' eq_refl).
        pose proof (conj_is [neg (disj [n; m]); Op LessEq [x; y]] [_; _] ltac:(one_by_one; [exact (neg_is _ _ D)|exact L'])) as F.
        destruct (Q.value_of db rs a) eqn:VA, (Q.value_of db rs b) eqn:VB; try discriminate; cbn [is_null orb existsb forallb negb andb base toZ] in *;
          rewrite ?andb_true_r in F; auto.
      + split; [reflexivity|]. split; [apply bool_is|]. cbn [base]. rewrite SC, <- VE. cbn [forallb] in N'. now rewrite andb_true_r in N'.
    - destruct (kind_of a) as [[]|]; try discriminate. destruct (kind_of b) as [[]|]; try discriminate. inversion K; subst.
      specialize (IHa _ eq_refl). specialize (IHb _ eq_refl). destruct (compiled a) as [n x], (compiled b) as [m y].
      destruct IHa as (A1 & A2 & A3), IHb as (B1 & B2 & B3). cbn [base_ty] in *.
      assert (A4 : x ~> VBool (Q.is_true (Q.value_of db rs a)) : TBool) by (destruct (Q.value_of db rs a); try discriminate; exact A3).
      assert (B4 : y ~> VBool (Q.is_true (Q.value_of db rs b)) : TBool) by (destruct (Q.value_of db rs b); try discriminate; exact B3).
      pose proof (conj_is [disj [n; m]; disj [n; x]; disj [m; y]] [_; _; _] ltac:(one_by_one;
        [exact (disj_is [n; m] [_; _] ltac:(one_by_one; [exact A2|exact B2]))|exact (disj_is [n; x] [_; _] ltac:(one_by_one; [exact A2|exact A4]))|
         exact (disj_is [m; y] [_; _] ltac:(one_by_one; [exact B2|exact B4]))])) as D.
      pose proof (conj_is [x; y] [_; _] ltac:(one_by_one; [exact A4|exact B4])) as E.
      clear -A1 B1 D E. destruct (Q.value_of db rs a) as [| |[]|], (Q.value_of db rs b) as [| |[]|]; try discriminate; auto.
    - destruct (kind_of a) as [[]|]; try discriminate. destruct (kind_of b) as [[]|]; try discriminate. inversion K; subst.
      specialize (IHa _ eq_refl). specialize (IHb _ eq_refl). destruct (compiled a) as [n x], (compiled b) as [m y].
      destruct IHa as (A1 & A2 & A3), IHb as (B1 & B2 & B3). cbn [base_ty] in *.
      assert (A4 : x ~> VBool (Q.is_true (Q.value_of db rs a)) : TBool) by (destruct (Q.value_of db rs a); try discriminate; exact A3).
      assert (B4 : y ~> VBool (Q.is_true (Q.value_of db rs b)) : TBool) by (destruct (Q.value_of db rs b); try discriminate; exact B3).
      pose proof (conj_is [disj [n; m]; neg x; neg y] [_; _; _] ltac:(one_by_one;
        [exact (disj_is [n; m] [_; _] ltac:(one_by_one; [exact A2|exact B2]))|exact (neg_is _ _ A4)|exact (neg_is _ _ B4)])) as D.
      pose proof (disj_is [x; y] [_; _] ltac:(one_by_one; [exact A4|exact B4])) as E.
      clear -A1 B1 D E. destruct (Q.value_of db rs a) as [| |[]|], (Q.value_of db rs b) as [| |[]|]; try discriminate; auto.
    - destruct (kind_of a) as [[]|]; try discriminate. inversion K; subst.
      specialize (IHa _ eq_refl). destruct (compiled a) as [n x]. destruct IHa as (A1 & A2 & A3). cbn [base_ty] in *.
      assert (A4 : x ~> VBool (Q.is_true (Q.value_of db rs a)) : TBool) by (destruct (Q.value_of db rs a); try discriminate; exact A3).
      pose proof (conj_is [neg n; neg x] [_; _] ltac:(one_by_one; [exact (neg_is _ _ A2)|exact (neg_is _ _ A4)])) as E.
      clear -A1 A2 E. destruct (Q.value_of db rs a) as [| |[]|]; try discriminate; auto.
    - destruct (kind_of a) as [j|]; try discriminate. inversion K; subst.
      specialize (IHa _ eq_refl). destruct (compiled a) as [n x]. destruct IHa as (A1 & A2 & A3).
      split; [reflexivity|]. split; [apply bool_is|]. cbn [fst]. destruct (Q.value_of db rs a); exact A2.
    - assert (H : kind_of c = Some Q.Truths /\ kind_of a = Some k /\ kind_of b = Some k).
      { clear -K. destruct (kind_of c) as [[]|], (kind_of a) as [[]|], (kind_of b) as [[]|]; inversion K; auto. }
      destruct H as (KC & KA & KB). specialize (IHc _ KC). specialize (IHa _ KA). specialize (IHb _ KB).
      destruct (compiled a) as [n x], (compiled b) as [m y], (compiled c) as [o d]. cbn [snd].
      destruct IHa as (A1 & A2 & A3), IHb as (B1 & B2 & B3), IHc as (C1 & _ & C3). cbn [base_ty] in C3.
      assert (C4 : d ~> VBool (Q.is_true (Q.value_of db rs c)) : TBool) by (destruct (Q.value_of db rs c); try discriminate; exact C3).
      pose proof (ite_is _ _ _ _ _ _ _ C4 A2 B2) as D. pose proof (ite_is _ _ _ _ _ _ _ C4 A3 B3) as E.
      destruct (Q.is_true (Q.value_of db rs c)); auto.
    - destruct (some c q) as [[n x]|] eqn:S; [|discriminate]. inversion K; subst. exact (SOME c q (n, x) S).
    - discriminate.
  Qed.
End Expressions.
Lemma compiled_is en db ks r : typed en -> of_kinds ks r -> let T := row_ty ks in let place := is_term en (Some T) None (enc ks r) nothing in
  forall e k, kind_of ks e = Some k -> let (n, x) := compiled T e in let v := Q.value_of db [r] e in
  of_kind k v = true /\ place n TBool (VBool (is_null v)) /\ place x (base_ty k) (base k v).
Proof.
  intros EN RO T place. apply (compiled_in_is en (Some T) None (enc ks r) nothing db [r] _ _ _ EN (enc_typed ks r) I); [|discriminate].
  intros s i k N. destruct s; [|discriminate]. cbn [nth].
  assert (COL : place (proj (Elem T) i) (cell_ty k) (cell k (nth i r Q.Null))).
  { rewrite <- (nth_cells ks i k r N).
    apply (proj_is en (Some T) None (enc ks r) nothing EN (enc_typed ks r) I (Elem T) i (map cell_ty ks) (cell_ty k) (enc ks r)); [|now apply nth_row_ty].
    split; cbn [typeof run]; auto. cbn [is]. now rewrite ty_eqb_refl. }
  pose proof (proj_is en (Some T) None (enc ks r) nothing EN (enc_typed ks r) I) as P.
  split; [|split; [exact (P _ 0%nat _ _ _ COL eq_refl)|exact (P _ 1%nat _ _ _ COL eq_refl)]].
  unfold of_kinds in RO. clear -RO N. revert i N; induction RO; intros [|i]; cbn; try discriminate; intros; [congruence|auto].
Qed.
