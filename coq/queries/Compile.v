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
Fixpoint kind_of (ks : list Q.kind) (e : Q.expression) : option Q.kind := match e with
  | Q.Column 0 i => nth_error ks i
  | Q.Constant k v => when (of_kind k v) (Some k)
  | Q.Plus a b => match kind_of ks a, kind_of ks b with Some Q.Numbers, Some Q.Numbers => Some Q.Numbers | _, _ => None end
  | Q.Times _ a => match kind_of ks a with Some Q.Numbers => Some Q.Numbers | _ => None end
  | Q.Compare c a b => match c, kind_of ks a, kind_of ks b with
      | _, Some Q.Numbers, Some Q.Numbers
      | Q.Equal, Some Q.Truths, Some Q.Truths | Q.Equal, Some Q.Texts, Some Q.Texts
      | Q.Same, Some Q.Truths, Some Q.Truths | Q.Same, Some Q.Texts, Some Q.Texts => Some Q.Truths
      | _, _, _ => None end
  | Q.Both a b | Q.Either a b => match kind_of ks a, kind_of ks b with Some Q.Truths, Some Q.Truths => Some Q.Truths | _, _ => None end
  | Q.Negated a | Q.Is _ a => match kind_of ks a with Some Q.Truths => Some Q.Truths | _ => None end
  | Q.IsNull a => match kind_of ks a with Some _ => Some Q.Truths | None => None end
  | Q.When c a b => match kind_of ks c, kind_of ks a, kind_of ks b with
      | Some Q.Truths, Some Q.Numbers, Some Q.Numbers => Some Q.Numbers
      | Some Q.Truths, Some Q.Truths, Some Q.Truths => Some Q.Truths
      | Some Q.Truths, Some Q.Texts, Some Q.Texts => Some Q.Texts
      | _, _, _ => None end
  | Q.Column _ _ | Q.ForSome _ _ | Q.TheValue _ => None
  end.
Definition literal (k : Q.kind) (v : Q.value) : term := match base k v with VBool b => Bool b | VInt z => Int z | _ => Int 0 end.
Definition neg (t : term) := mk Not [t].
(** Whether the value is NULL, and the value; the default of its type where it is NULL. *)
Fixpoint compiled (T : ty) (e : Q.expression) : term * term := match e with
  | Q.Column _ i => (proj (proj (Elem T) i) 0, proj (proj (Elem T) i) 1)
  | Q.Constant k v => (Bool (is_null v), literal k v)
  | Q.Plus a b => let '(n, x) := compiled T a in let '(m, y) := compiled T b in
      (disj [n; m], ite (disj [n; m]) (Int 0) (Op Add [x; y]))
  | Q.Times c a => let '(n, x) := compiled T a in (n, Op (Scale c) [x])
  | Q.Compare c a b => let '(n, x) := compiled T a in let '(m, y) := compiled T b in match c with
      | Q.Same => (Bool false, conj [eq' n m; eq' x y])
      | Q.Equal => (disj [n; m], conj [neg (disj [n; m]); eq' x y])
      | Q.Below => (disj [n; m], conj [neg (disj [n; m]); Op Less [x; y]])
      | Q.AtMost => (disj [n; m], conj [neg (disj [n; m]); Op LessEq [x; y]])
      end
  | Q.Both a b => let '(n, x) := compiled T a in let '(m, y) := compiled T b in
      (conj [disj [n; m]; disj [n; x]; disj [m; y]], conj [x; y])
  | Q.Either a b => let '(n, x) := compiled T a in let '(m, y) := compiled T b in
      (conj [disj [n; m]; neg x; neg y], disj [x; y])
  | Q.Negated a => let '(n, x) := compiled T a in (n, conj [neg n; neg x])
  | Q.IsNull a => (Bool false, fst (compiled T a))
  | Q.Is b a => let '(n, x) := compiled T a in (Bool false, if b then x else conj [neg n; neg x])
  | Q.When c a b => let '(n, x) := compiled T a in let '(m, y) := compiled T b in let d := snd (compiled T c) in
      (ite d n m, ite d x y)
  | Q.ForSome _ _ | Q.TheValue _ => (Bool true, Bool true)
  end.

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
  Variables (en : env) (db : Q.database) (ks : list Q.kind) (r : Q.row).
  Hypotheses (EN : typed en) (RO : of_kinds ks r).
  Let T := row_ty ks.
  Notation "t ~> v : u" := (is_term en (Some T) None (enc ks r) nothing t u v) (at level 70, v at next level).
  Let made := made en (Some T) None (enc ks r) nothing EN (enc_typed ks r) I.
  Let neg_is := neg_is en (Some T) None (enc ks r) nothing EN (enc_typed ks r) I.
  Let conj_is := conj_is en (Some T) None (enc ks r) nothing EN (enc_typed ks r) I.
  Let disj_is := disj_is en (Some T) None (enc ks r) nothing EN (enc_typed ks r) I.
  Let eq_is := eq_is en (Some T) None (enc ks r) nothing EN (enc_typed ks r) I.
  Let ite_is := ite_is en (Some T) None (enc ks r) nothing EN (enc_typed ks r) I.
  Let proj_is := proj_is en (Some T) None (enc ks r) nothing EN (enc_typed ks r) I.
  Let bool_is := bool_is en (Some T) None (enc ks r) nothing.
  Let literal_is := literal_is en (Some T) None (enc ks r) nothing.

  Ltac one_by_one := repeat (apply Forall2_cons || apply Forall2_nil).
  Lemma compiled_is e : forall k, kind_of ks e = Some k -> let (n, x) := compiled T e in let v := Q.value_of db [r] e in
    of_kind k v = true /\ n ~> VBool (is_null v) : TBool /\ x ~> base k v : base_ty k.
  Proof.
    assert (COL : forall i k, nth_error ks i = Some k -> proj (Elem T) i ~> cell k (nth i r Q.Null) : cell_ty k).
    { intros i k N. rewrite <- (nth_cells ks i k r N). apply (proj_is (Elem T) i (map cell_ty ks) (cell_ty k) (enc ks r)); [|now apply nth_row_ty].
      split; cbn [typeof run]; auto. cbn [is]. now rewrite ty_eqb_refl. }
    assert (FIT : forall i k, nth_error ks i = Some k -> of_kind k (nth i r Q.Null) = true).
    { intros i k N. unfold of_kinds in RO. clear -RO N. revert i N; induction RO; intros [|i]; cbn; try discriminate; intros; [congruence|auto]. }
    induction e as [s i|k0 v|a IHa b IHb|c a IHa|c a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa|a IHa|b a IHa|c IHc a IHa b IHb|c q|q];
      intros k K; cbn [compiled Q.value_of kind_of] in *.
    - destruct s; [|discriminate]. cbn [nth]. split; [exact (FIT i k K)|]. specialize (COL i k K). split.
      + exact (proj_is _ 0 _ _ _ COL eq_refl). + exact (proj_is _ 1 _ _ _ COL eq_refl).
    - destruct (of_kind k0 v) eqn:O; [|discriminate]. inversion K; subst. split; [exact O|]. split; [apply bool_is|apply literal_is].
    - destruct (kind_of ks a) as [[]|]; try discriminate. destruct (kind_of ks b) as [[]|]; try discriminate. inversion K; subst.
      specialize (IHa _ eq_refl). specialize (IHb _ eq_refl). destruct (compiled T a) as [n x], (compiled T b) as [m y].
      destruct IHa as (A1 & A2 & A3), IHb as (B1 & B2 & B3).
      pose proof (disj_is [n; m] [_; _] ltac:(one_by_one; [exact A2|exact B2])) as D.
      assert (S : Op Add [x; y] ~> VInt (toZ (base Q.Numbers (Q.value_of db [r] a)) + (toZ (base Q.Numbers (Q.value_of db [r] b)) + 0)) : TInt).
      { destruct A3 as [A3 A4], B3 as [B3 B4]. split; cbn [typeof run in_order map forallb fold_right]; [now rewrite A3, B3|]. now rewrite A4, B4. }
      pose proof (ite_is _ _ _ _ _ _ _ D (literal_is Q.Numbers (Q.Number 0)) S) as E.
      destruct (Q.value_of db [r] a), (Q.value_of db [r] b); try discriminate; cbn in D, E |- *; auto. rewrite Z.add_0_r in E. auto.
    - destruct (kind_of ks a) as [[]|]; try discriminate. inversion K; subst.
      specialize (IHa _ eq_refl). destruct (compiled T a) as [n x]. destruct IHa as (A1 & A2 & A3 & A4).
      split; [destruct (Q.value_of db [r] a); auto|]. split; [destruct (Q.value_of db [r] a); try discriminate; exact A2|].
      split; cbn [typeof run in_order]; [now rewrite A3|]. rewrite A4. destruct (Q.value_of db [r] a); try discriminate; cbn; f_equal; lia.
    - assert (H : exists j, kind_of ks a = Some j /\ kind_of ks b = Some j /\ k = Q.Truths /\ (j = Q.Numbers \/ c = Q.Equal \/ c = Q.Same)).
      { clear -K. destruct c, (kind_of ks a) as [[]|], (kind_of ks b) as [[]|]; inversion K; eauto 9. }
      destruct H as (j & KA & KB & -> & J). specialize (IHa _ KA). specialize (IHb _ KB).
      destruct (compiled T a) as [n x], (compiled T b) as [m y]. destruct IHa as (A1 & A2 & A3), IHb as (B1 & B2 & B3).
      pose proof (disj_is [n; m] [_; _] ltac:(one_by_one; [exact A2|exact B2])) as D.
      pose proof (eq_is _ _ _ _ _ A3 B3) as E. pose proof (eq_is _ _ _ _ _ A2 B2) as N.
      pose proof (conj_is [neg (disj [n; m]); eq' x y] [_; _] ltac:(one_by_one; [exact (neg_is _ _ D)|exact E])) as E'.
      pose proof (conj_is [eq' n m; eq' x y] [_; _] ltac:(one_by_one; [exact N|exact E])) as N'.
      assert (VE : forall p q : bool, veqb (VBool p) (VBool q) = Bool.eqb p q) by (intros [] []; reflexivity).
      assert (L : j = Q.Numbers -> Op Less [x; y] ~> VBool (toZ (base j (Q.value_of db [r] a)) <? toZ (base j (Q.value_of db [r] b))) : TBool).
      { intros ->. destruct A3 as [A3 A4], B3 as [B3 B4]. split; cbn [typeof run in_order]; [now rewrite A3, B3|]. rewrite A4, B4, Z.ltb_antisym.
        now destruct (Q.value_of db [r] a), (Q.value_of db [r] b). }
      assert (L' : j = Q.Numbers -> Op LessEq [x; y] ~> VBool (toZ (base j (Q.value_of db [r] a)) <=? toZ (base j (Q.value_of db [r] b))) : TBool).
      { intros ->. destruct A3 as [A3 A4], B3 as [B3 B4]. split; cbn [typeof run in_order]; [now rewrite A3, B3|]. rewrite A4, B4.
        now destruct (Q.value_of db [r] a), (Q.value_of db [r] b). }
      pose proof (same_cells j _ _ A1 B1) as SC.
      destruct c; cbn [Q.compare].
      + (* equal *) destruct (Q.value_of db [r] a) eqn:VA; [|destruct (Q.value_of db [r] b) eqn:VB..]; cbn [is_null orb existsb forallb negb andb] in *;
          try (split; [reflexivity|split; [exact D|exact E']]);
          (split; [reflexivity|split; [exact D|]]); cbn [base]; rewrite SC; cbn [is_null Bool.eqb andb] in *; rewrite ?andb_true_r in E'; exact E'.
      + destruct J as [->|[?|?]]; try discriminate. specialize (L eq_refl).
        pose proof (conj_is [neg (disj [n; m]); Op Less [x; y]] [_; _] ltac:(one_by_one; [exact (neg_is _ _ D)|exact L])) as F.
        destruct (Q.value_of db [r] a) eqn:VA, (Q.value_of db [r] b) eqn:VB; try discriminate; cbn [is_null orb existsb forallb negb andb base toZ] in *;
          rewrite ?andb_true_r in F; auto.
      + destruct J as [->|[?|?]]; try discriminate. specialize (L' eq_refl).
        pose proof (conj_is [neg (disj [n; m]); Op LessEq [x; y]] [_; _] ltac:(one_by_one; [exact (neg_is _ _ D)|exact L'])) as F.
        destruct (Q.value_of db [r] a) eqn:VA, (Q.value_of db [r] b) eqn:VB; try discriminate; cbn [is_null orb existsb forallb negb andb base toZ] in *;
          rewrite ?andb_true_r in F; auto.
      + split; [reflexivity|]. split; [apply bool_is|]. cbn [base]. rewrite SC, <- VE. cbn [forallb] in N'. now rewrite andb_true_r in N'.
    - destruct (kind_of ks a) as [[]|]; try discriminate. destruct (kind_of ks b) as [[]|]; try discriminate. inversion K; subst.
      specialize (IHa _ eq_refl). specialize (IHb _ eq_refl). destruct (compiled T a) as [n x], (compiled T b) as [m y].
      destruct IHa as (A1 & A2 & A3), IHb as (B1 & B2 & B3). cbn [base_ty] in *.
      assert (A4 : x ~> VBool (Q.is_true (Q.value_of db [r] a)) : TBool) by (destruct (Q.value_of db [r] a); try discriminate; exact A3).
      assert (B4 : y ~> VBool (Q.is_true (Q.value_of db [r] b)) : TBool) by (destruct (Q.value_of db [r] b); try discriminate; exact B3).
      pose proof (conj_is [disj [n; m]; disj [n; x]; disj [m; y]] [_; _; _] ltac:(one_by_one;
        [exact (disj_is [n; m] [_; _] ltac:(one_by_one; [exact A2|exact B2]))|exact (disj_is [n; x] [_; _] ltac:(one_by_one; [exact A2|exact A4]))|
         exact (disj_is [m; y] [_; _] ltac:(one_by_one; [exact B2|exact B4]))])) as D.
      pose proof (conj_is [x; y] [_; _] ltac:(one_by_one; [exact A4|exact B4])) as E.
      clear -A1 B1 D E. destruct (Q.value_of db [r] a) as [| |[]|], (Q.value_of db [r] b) as [| |[]|]; try discriminate; auto.
    - destruct (kind_of ks a) as [[]|]; try discriminate. destruct (kind_of ks b) as [[]|]; try discriminate. inversion K; subst.
      specialize (IHa _ eq_refl). specialize (IHb _ eq_refl). destruct (compiled T a) as [n x], (compiled T b) as [m y].
      destruct IHa as (A1 & A2 & A3), IHb as (B1 & B2 & B3). cbn [base_ty] in *.
      assert (A4 : x ~> VBool (Q.is_true (Q.value_of db [r] a)) : TBool) by (destruct (Q.value_of db [r] a); try discriminate; exact A3).
      assert (B4 : y ~> VBool (Q.is_true (Q.value_of db [r] b)) : TBool) by (destruct (Q.value_of db [r] b); try discriminate; exact B3).
      pose proof (conj_is [disj [n; m]; neg x; neg y] [_; _; _] ltac:(one_by_one;
        [exact (disj_is [n; m] [_; _] ltac:(one_by_one; [exact A2|exact B2]))|exact (neg_is _ _ A4)|exact (neg_is _ _ B4)])) as D.
      pose proof (disj_is [x; y] [_; _] ltac:(one_by_one; [exact A4|exact B4])) as E.
      clear -A1 B1 D E. destruct (Q.value_of db [r] a) as [| |[]|], (Q.value_of db [r] b) as [| |[]|]; try discriminate; auto.
    - destruct (kind_of ks a) as [[]|]; try discriminate. inversion K; subst.
      specialize (IHa _ eq_refl). destruct (compiled T a) as [n x]. destruct IHa as (A1 & A2 & A3). cbn [base_ty] in *.
      assert (A4 : x ~> VBool (Q.is_true (Q.value_of db [r] a)) : TBool) by (destruct (Q.value_of db [r] a); try discriminate; exact A3).
      pose proof (conj_is [neg n; neg x] [_; _] ltac:(one_by_one; [exact (neg_is _ _ A2)|exact (neg_is _ _ A4)])) as E.
      clear -A1 A2 E. destruct (Q.value_of db [r] a) as [| |[]|]; try discriminate; auto.
    - destruct (kind_of ks a) as [j|]; try discriminate. inversion K; subst.
      specialize (IHa _ eq_refl). destruct (compiled T a) as [n x]. destruct IHa as (A1 & A2 & A3).
      split; [reflexivity|]. split; [apply bool_is|]. cbn [fst]. destruct (Q.value_of db [r] a); exact A2.
    - destruct (kind_of ks a) as [[]|]; try discriminate. inversion K; subst.
      specialize (IHa _ eq_refl). destruct (compiled T a) as [n x]. destruct IHa as (A1 & A2 & A3). cbn [base_ty] in *.
      assert (A4 : x ~> VBool (Q.is_true (Q.value_of db [r] a)) : TBool) by (destruct (Q.value_of db [r] a); try discriminate; exact A3).
      pose proof (conj_is [neg n; neg x] [_; _] ltac:(one_by_one; [exact (neg_is _ _ A2)|exact (neg_is _ _ A4)])) as E.
      split; [reflexivity|]. split; [apply bool_is|]. clear -A1 A2 A4 E. destruct b, (Q.value_of db [r] a) as [| |[]|]; try discriminate; auto.
    - assert (H : kind_of ks c = Some Q.Truths /\ kind_of ks a = Some k /\ kind_of ks b = Some k).
      { clear -K. destruct (kind_of ks c) as [[]|], (kind_of ks a) as [[]|], (kind_of ks b) as [[]|]; inversion K; auto. }
      destruct H as (KC & KA & KB). specialize (IHc _ KC). specialize (IHa _ KA). specialize (IHb _ KB).
      destruct (compiled T a) as [n x], (compiled T b) as [m y], (compiled T c) as [o d]. cbn [snd].
      destruct IHa as (A1 & A2 & A3), IHb as (B1 & B2 & B3), IHc as (C1 & _ & C3). cbn [base_ty] in C3.
      assert (C4 : d ~> VBool (Q.is_true (Q.value_of db [r] c)) : TBool) by (destruct (Q.value_of db [r] c); try discriminate; exact C3).
      pose proof (ite_is _ _ _ _ _ _ _ C4 A2 B2) as D. pose proof (ite_is _ _ _ _ _ _ _ C4 A3 B3) as E.
      destruct (Q.is_true (Q.value_of db [r] c)); auto.
    - discriminate.
    - discriminate.
  Qed.
End Expressions.
