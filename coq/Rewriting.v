(** * Simplification and substitution keep types and meanings

    [mk] is core/terms.py's [simplified], [apply] puts terms for the arguments of a function, [substitute] closed terms for closed
    terms, inside functions too.  Each comes with the lemma that says what its result means. *)
From Tallystick Require Export Typing.

Definition opens (ce ca : option ty) (r : env) (e a : val) := typed r /\ fits ce e /\ fits ca a.
(** [t'] is as good as [t]: of the same type and meaning, for all values of bound variables. *)
Definition same (ce ca : option ty) (r r' : env) (t t' : term) := forall u, typeof ce ca t = Some u ->
  typeof ce ca t' = Some u /\ forall e a, fits ce e -> fits ca a -> eval r' e a t' = eval r e a t.

Definition over_bags (o : op) := match o with
  | Map | Filter | Cartesian | Union | Distinct | Expand _ _ _ | Without | Fold | FoldByKey => true | _ => false end.

(** Closed terms do not depend on what is around them. *)
Lemma closed_type t u : type t = Some u -> forall ce ca, typeof ce ca t = Some u.
Proof.
  unfold type. revert u; induction t using term_ind'; intros u T ce ca; try (cbn [typeof] in *; whens; auto; discriminate).
  assert (A : forall l, sequence (map (typeof None None) args) = Some l -> sequence (map (typeof ce ca) args) = Some l).
  { clear T. induction H; cbn; auto. intros k E. whens. rewrite (H _ eq_refl ce ca). now rewrite (IHForall _ eq_refl). }
  destruct o; split_args args; cbn [typeof] in T |- *; whens; inv_forall; auto;
    repeat match goal with
      | IH : forall u, typeof None None ?x = Some u -> _, E : typeof None None ?x = Some _ |- _ => rewrite (IH _ E ce ca)
    end; cbn; rewrite ?ty_eqb_refl; cbn; try match goal with C : comparable_type _ = true |- _ => rewrite C end; auto.
  - replace (map (typeof ce ca) args) with (map (typeof None None) args); [now rewrite E|].
    apply map_ext_in. intros x X. rewrite Forall_forall in H. rewrite forallb_forall in E.
    assert (typeof None None x = Some TInt) by (apply is_eq, E, in_map, X). rewrite H0. symmetry; auto.
  - replace (map (typeof ce ca) args) with (map (typeof None None) args); [now rewrite E|].
    apply map_ext_in. intros x X. rewrite Forall_forall in H. rewrite forallb_forall in E.
    assert (typeof None None x = Some TBool) by (apply is_eq, E, in_map, X). rewrite H0. symmetry; auto.
  - replace (map (typeof ce ca) args) with (map (typeof None None) args); [now rewrite E|].
    apply map_ext_in. intros x X. rewrite Forall_forall in H. rewrite forallb_forall in E.
    assert (typeof None None x = Some TBool) by (apply is_eq, E, in_map, X). rewrite H0. symmetry; auto.
  - now rewrite (A l eq_refl).
  - rewrite (A l eq_refl). now rewrite E0.
Qed.
Lemma closed_eval t u : type t = Some u -> forall r e a, eval r e a t = meaning r t.
Proof.
  unfold type, meaning. revert u; induction t using term_ind'; intros u T r e a; try (cbn [typeof] in *; whens; auto; discriminate).
  destruct o; split_args args; cbn [typeof] in T; whens; inv_forall; cbn [run in_order]; auto;
    repeat match goal with
      | IH : forall u, typeof None None ?x = Some u -> _, E : typeof None None ?x = Some _ |- _ => rewrite (IH _ E r e a); clear IH
    end; auto.
  - do 2 f_equal. f_equal. apply map_ext_in. intros x X. rewrite Forall_forall in H. rewrite forallb_forall in E.
    eapply H; auto. apply is_eq, E, in_map, X.
  - do 2 f_equal. apply map_ext_in. intros x X. rewrite Forall_forall in H. rewrite forallb_forall in E.
    eapply H; auto. apply is_eq, E, in_map, X.
  - do 2 f_equal. apply map_ext_in. intros x X. rewrite Forall_forall in H. rewrite forallb_forall in E.
    eapply H; auto. apply is_eq, E, in_map, X.
  - f_equal. clear -H E. revert l E; induction H; cbn in *; intros l0 E; whens; auto. f_equal; eauto.
  - do 2 f_equal. clear -H E. revert l E; induction H; cbn in *; intros l0 E; whens; auto. f_equal; eauto.
Qed.

(** Operators keep meanings: arguments may be replaced by others that are as good. *)
Lemma map_same {A B C} (f : A -> B) (g : C -> B) l l' : Forall2 (fun x y => f x = g y) l l' -> map f l = map g l'.
Proof. induction 1; cbn; congruence. Qed.
Lemma Forall2_imp_in {A B} (P Q : A -> B -> Prop) l k :
  Forall2 P l k -> (forall x y, In x l -> P x y -> Q x y) -> Forall2 Q l k.
Proof. induction 1; cbn; constructor; auto. Qed.
Ltac inv_forall2 := repeat match goal with
  | H : Forall2 _ (_ :: _) _ |- _ => let A := fresh "A" in inversion H as [|? ? ? ? A]; subst; clear H
  | H : Forall2 _ [] _ |- _ => inversion H; subst; clear H
  end.

(** Values of functions are used where a function is applied. *)
Definition applies (o : op) : bool := match o with Apply _ _ _ | Expand _ _ _ => true | _ => false end.
Definition same_functions (r r' : env) := forall f ts vs t, r (App f ts vs) t = r' (App f ts vs) t.

(** For operators that are not over bags, both sides may even stand in different places. *)
Lemma flat_congruence ce ca r e a ce' ca' r' e' a' o args args' u : over_bags o = false -> (applies o = true -> same_functions r r') ->
  Forall2 (fun t t' => forall u, typeof ce ca t = Some u -> typeof ce' ca' t' = Some u /\ eval r' e' a' t' = eval r e a t) args args' ->
  typeof ce ca (Op o args) = Some u ->
  typeof ce' ca' (Op o args') = Some u /\ eval r' e' a' (Op o args') = eval r e a (Op o args).
Proof.
  intros O S F T.
  assert (Q : forall l, sequence (map (typeof ce ca) args) = Some l ->
    map (typeof ce' ca') args' = map (typeof ce ca) args /\ map (eval r' e' a') args' = map (eval r e a) args).
  { clear -F. induction F; cbn; intros k E; auto. whens. destruct (H _ eq_refl) as [-> ->]. destruct (IHF _ eq_refl) as [-> ->]. auto. }
  assert (L : forall t0, Forall (fun t => typeof ce ca t = Some t0) args ->
    map (typeof ce' ca') args' = map (typeof ce ca) args /\ map (eval r' e' a') args' = map (eval r e a) args).
  { intros t0 A. split; symmetry; apply map_same; eapply Forall2_imp_in; eauto; cbn; intros x y X Y;
      rewrite Forall_forall in A; destruct (Y t0); auto. rewrite A; auto. }
  assert (K : forall t0 args, forallb (fun o => is o t0) (map (typeof ce ca) args) = true ->
    Forall (fun t => typeof ce ca t = Some t0) args).
  { intros t0 l; rewrite forallb_forall, Forall_forall. intros; apply is_eq, H, in_map; auto. }
  destruct o; try discriminate; split_args args; cbn [typeof] in T; whens; inv_forall2; cbn [typeof run in_order];
    repeat match goal with
    | A : forall u, typeof ce ca ?x = Some u -> _, E : typeof ce ca ?x = Some _ |- _ =>
        let B := fresh "B" in let C := fresh "C" in destruct (A _ E) as [B C]; clear A; rewrite ?B, ?C
    end; cbn; rewrite ?ty_eqb_refl; cbn; try match goal with C : comparable_type _ = true |- _ => rewrite C end; auto.
  - destruct (L _ (K _ _ E)) as [-> ->]. now rewrite E.
  - destruct (L _ (K _ _ E)) as [-> ->]. now rewrite E.
  - destruct (L _ (K _ _ E)) as [-> ->]. now rewrite E.
  - destruct (Q _ eq_refl) as [-> ->]. now rewrite E.
  - destruct (Q _ eq_refl) as [-> ->]. rewrite E, E0. now rewrite <- (S eq_refl).
Qed.

(** A substitution that keeps types and meanings in all places does so inside UDFs. *)
Lemma bag_congruence r r' ce ca e a o args args' u : over_bags o = true -> typed r -> (applies o = true -> same_functions r r') ->
  Forall2 (fun t t' => forall ce ca, same ce ca r r' t t') args args' ->
  typeof ce ca (Op o args) = Some u ->
  typeof ce ca (Op o args') = Some u /\ eval r' e a (Op o args') = eval r e a (Op o args).
Proof.
  intros O R S F T.
  assert (U : forall x t, typeof None None x = Some t -> has_type (eval r nothing nothing x) t)
    by (intros x t E; exact (preservation r R x None None nothing nothing t E I I)).
  destruct o; try discriminate; split_args args; cbn [typeof] in T; whens; inv_forall2; cbn [typeof run in_order];
    repeat match goal with
    | A : forall ce ca, same ce ca r r' ?x ?y, E : typeof ?c ?d ?x = Some _ |- _ =>
        let B := fresh "B" in let C := fresh "C" in destruct (A _ _ _ E) as [B C]; clear A;
        cbn [fits] in C; try rewrite (C nothing nothing I I)
    end;
    repeat (match goal with B : typeof _ _ ?y = _ |- context [typeof _ _ ?y] => rewrite B end; cbn [is when andb]);
    rewrite ?ty_eqb_refl; cbn [when]; split; auto;
    match goal with C : forall e a, has_type e _ -> _ -> eval _ e a _ = eval _ e a _ |- _ => rename C into UDF | _ => idtac end.
  - f_equal. apply map_ext_in. intros v V. apply UDF; cbn; auto.
    apply U in E. apply has_type_elements in E. rewrite Forall_forall in E. auto.
  - f_equal. apply filter_ext_in. intros v V. f_equal. apply UDF; cbn; auto.
    apply U in E. apply has_type_elements in E. rewrite Forall_forall in E. auto.
  - f_equal. rewrite !flat_map_concat_map. f_equal. apply map_ext_in. intros v V. rewrite <- (S eq_refl). do 5 f_equal. apply UDF; cbn; auto.
    apply U in E. apply has_type_elements in E. rewrite Forall_forall in E. auto.
  - f_equal. apply filter_ext_in. intros v V. do 3 f_equal. apply UDF; cbn; auto.
    apply U in E. apply has_type_elements in E. rewrite Forall_forall in E. auto.
  - pose proof (U _ _ E0) as V. apply has_type_elements in V.
    pose proof (U _ _ E) as W. revert V W. generalize (eval r nothing nothing x) as m.
    induction (elements (eval r nothing nothing z)); cbn; intros m V W; auto. inversion V; subst.
    rewrite UDF by (cbn; auto). apply IHl; auto. eapply preservation; eauto; cbn; auto.
  - f_equal. apply map_ext_in. intros k _. do 3 f_equal.
    pose proof (U _ _ E0) as V. apply has_type_elements in V. rewrite Forall_forall in V.
    pose proof (U _ _ E) as W. revert W. generalize (eval r nothing nothing x) as m.
    match goal with |- forall m, has_type m _ -> fold_left _ ?l _ = _ =>
      assert (Q : forall v, In v l -> exists p t, component 1 p = v /\ In p (elements (eval r nothing nothing z)) /\ t = v) end.
    { intros v J. apply in_map_iff in J as (p & <- & P). apply filter_In in P as [P _]. eauto. }
    revert Q. induction (map (component 1) _); cbn; intros Q m W; auto.
    assert (has_type a0 t3) by (destruct (Q a0) as (p & ? & <- & P & _); auto; exact (proj2 (pair_typed p _ _ (V _ P)))).
    rewrite UDF by (cbn; auto). apply IHl; auto. eapply preservation; eauto; cbn; auto.
Qed.

(** [simplified] of core/terms.py. *)
Definition tt' := Bool true.
Definition ff' := Bool false.
Fixpoint uniq (l : list term) : list term :=
  match l with [] => [] | x :: r => x :: filter (fun y => negb (term_eqb x y)) (uniq r) end.
Definition parts_of (o : op) (t : term) : list term :=
  match t with Op p args => if op_eqb p o then args else [t] | _ => [t] end.
Definition junction (o : op) (unit zero : term) (args : list term) : term :=
  let parts := filter (fun t => negb (term_eqb unit t)) (uniq (flat_map (parts_of o) args)) in
  if existsb (term_eqb zero) parts then zero
  else match parts with [] => unit | [t] => t | _ => Op o parts end.
(** The default value of a basic type; bags have no term for theirs. *)
Fixpoint default_term (t : ty) : term := match t with
  | TInt => Int 0 | TBool => ff' | TText => Text "" | TOpt t => Op (NoneOf t) [] | TTup ts => Op Tuple (map default_term ts) | TBag _ => Op Union [] end.
Definition mk (o : op) (args : list term) : term :=
  match o, args with
  | Not, [Op Not [t]] => t
  | Not, [Bool b] => Bool (negb b)
  | And, _ => junction And tt' ff' args
  | Or, _ => junction Or ff' tt' args
  | Equal, [x; y] => if term_eqb x y then tt' else Op o args
  | Ite, [c; x; y] => if term_eqb c tt' || term_eqb x y then x else if term_eqb c ff' then y else Op o args
  | Proj i, [Op Tuple xs] => match nth_error xs i with Some x => x | None => Op o args end
  | IsNone, [Op SomeOf [_]] => ff'
  | IsNone, [Op (NoneOf _) []] => tt'
  | ValueOf _, [Op SomeOf [x]] => x
  | ValueOf t, [Op (NoneOf _) []] => if is (type (default_term t)) t then default_term t else Op o args
  | _, _ => Op o args
  end.

Lemma default_term_ok r t : type (default_term t) = Some t -> meaning r (default_term t) = default t.
Proof.
  unfold type, meaning. induction t using ty_ind'; auto; [|discriminate]. cbn [default_term typeof default]. intros E. cbn [run in_order]. f_equal.
  destruct (sequence _) as [us|] eqn:Q; [|discriminate]. inversion E; subst us; clear E. revert Q. induction H as [|t ts X _ IH]; cbn; auto.
  destruct (typeof None None (default_term t)) as [k|] eqn:T; [|discriminate]. destruct (sequence _) as [us|]; [|discriminate]. intros [= -> ->].
  rewrite X by auto. f_equal. now apply IH.
Qed.
Lemma uniq_in x l : In x (uniq l) <-> In x l.
Proof.
  induction l as [|y l IH]; cbn; [tauto|]. rewrite filter_In, IH. destruct (term_eqb y x) eqn:E; cbn.
  - apply term_eqb_eq in E. intuition congruence. - intuition.
Qed.
Section Junction.
  Variables (ce ca : option ty) (r : env) (e a : val).
  Hypothesis (R : typed r) (Fe : fits ce e) (Fa : fits ca a).
  Let good t := typeof ce ca t = Some TBool.
  Lemma good_parts o args : o = And \/ o = Or -> Forall good args -> Forall good (flat_map (parts_of o) args).
  Proof.
    intros O. induction 1 as [|x l X]; cbn; [constructor|]. apply Forall_app; split; auto.
    destruct x; cbn; auto. destruct (op_eqb o0 o) eqn:E; auto. apply op_eqb_eq in E; subst.
    unfold good in X. apply Forall_forall. intros y Y.
    destruct O as [-> | ->]; cbn in X; whens; rewrite forallb_forall in E; apply is_eq, E, in_map, Y.
  Qed.
  Lemma junction_ok (o : op) (conj : bool) args : o = (if conj then And else Or) -> Forall good args ->
    let t := junction o (Bool conj) (Bool (negb conj)) args in good t /\ eval r e a t = eval r e a (Op o args).
  Proof.
    intros O G. cbn zeta. unfold junction.
    assert (W : eval r e a (Op o args) = VBool (if conj then forallb toB (map (eval r e a) (flat_map (parts_of o) args))
                                               else existsb toB (map (eval r e a) (flat_map (parts_of o) args)))).
    { subst o. destruct conj; cbn [run in_order]; f_equal; clear G.
      - induction args as [|x l IH]; cbn; auto. rewrite map_app, forallb_app, IH. f_equal.
        destruct x; cbn; rewrite ?andb_true_r; auto. destruct o; cbn; rewrite ?andb_true_r; auto. now rewrite toB_bool.
      - induction args as [|x l IH]; cbn; auto. rewrite map_app, existsb_app, IH. f_equal.
        destruct x; cbn; rewrite ?orb_false_r; auto. destruct o; cbn; rewrite ?orb_false_r; auto. now rewrite toB_bool. }
    rewrite W. clear W.
    assert (G' : Forall good (flat_map (parts_of o) args)) by (apply good_parts; auto; destruct conj; auto).
    set (all := flat_map (parts_of o) args) in *. clearbody all.
    set (parts := filter (fun t => negb (term_eqb (Bool conj) t)) (uniq all)).
    assert (P1 : forall t, In t parts -> In t all) by (intros t; unfold parts; rewrite filter_In, uniq_in; tauto).
    assert (P2 : forall t, In t all -> t = Bool conj \/ In t parts).
    { intros t T. unfold parts. rewrite filter_In, uniq_in. destruct (term_eqb (Bool conj) t) eqn:E; auto.
      apply term_eqb_eq in E; auto. }
    assert (W : (if conj then forallb toB (map (eval r e a) all) else existsb toB (map (eval r e a) all)) =
                (if conj then forallb toB (map (eval r e a) parts) else existsb toB (map (eval r e a) parts))).
    { destruct conj; apply eq_true_iff_eq.
      - rewrite !forallb_forall. split; intros H v V; apply in_map_iff in V as (t & <- & T).
        + apply H, in_map; auto. + destruct (P2 t T) as [->|]; auto. apply H, in_map; auto.
      - rewrite !existsb_exists. split; intros (v & V & B); apply in_map_iff in V as (t & <- & T).
        + destruct (P2 t T) as [->|]; [cbn in B; discriminate|]. exists (eval r e a t); split; auto. now apply in_map.
        + exists (eval r e a t); split; auto. apply in_map; auto. }
    rewrite W. assert (G'' : Forall good parts) by (rewrite Forall_forall in *; auto). clearbody parts. clear -G'' R Fe Fa O.
    destruct (existsb (term_eqb (Bool (negb conj))) parts) eqn:E.
    - split; [reflexivity|]. apply existsb_exists in E as (t & T & B). apply term_eqb_eq in B; subst t. cbn. f_equal. symmetry.
      destruct conj; cbn in *.
      + apply not_true_is_false. rewrite forallb_forall. intros H. specialize (H (VBool false)).
        discriminate H. now apply (in_map (eval r e a) parts (Bool false)).
      + apply existsb_exists. exists (VBool true). split; auto. now apply (in_map (eval r e a) parts (Bool true)).
    - destruct parts as [|t [|t' l]].
      + split; [reflexivity|]. cbn. now destruct conj.
      + inversion G''; subst. split; auto. pose proof (preservation r R _ _ _ e a _ H1 Fe Fa) as T.
        rewrite (bool_of _ T) at 1. cbn. destruct conj; now rewrite ?andb_true_r, ?orb_false_r.
      + split; [|subst o; destruct conj; reflexivity]. unfold good.
        assert (forallb (fun o => is o TBool) (map (typeof ce ca) (t :: t' :: l)) = true).
        { rewrite forallb_forall. intros x X. apply in_map_iff in X as (y & <- & Y). rewrite Forall_forall in G''.
          apply is_eq. now apply G''. }
        subst o; destruct conj; cbn [typeof]; now rewrite H.
  Qed.

  Lemma mk_ok o args u : typeof ce ca (Op o args) = Some u ->
    typeof ce ca (mk o args) = Some u /\ eval r e a (mk o args) = eval r e a (Op o args).
  Proof.
    intros T.
    assert (K : forallb (fun o => is o TBool) (map (typeof ce ca) args) = true -> Forall good args).
    { rewrite forallb_forall, Forall_forall. intros H x X. apply is_eq, H, in_map, X. }
    destruct o; cbn [mk]; auto.
    - destruct args as [|x [|y [|]]]; auto. destruct (term_eqb x y) eqn:E; auto. apply term_eqb_eq in E; subst.
      cbn in T; whens. cbn. rewrite veqb_refl. auto.
    - destruct args as [|x [|]]; auto. 2: destruct x; auto; destruct o; auto; destruct args as [|? [|]]; auto.
      destruct x; auto.
      + cbn in *. whens. rewrite toB_bool. auto.
      + destruct o; auto. destruct args as [|x [|]]; auto. cbn [typeof] in T; whens. cbn [typeof] in *; whens. split; auto.
        cbn [run in_order]. rewrite toB_bool, negb_involutive. apply bool_of. eapply preservation; eauto.
    - cbn [typeof] in T. whens. exact (junction_ok And true _ eq_refl (K eq_refl)).
    - cbn [typeof] in T. whens. exact (junction_ok Or false _ eq_refl (K eq_refl)).
    - destruct args as [|x [|]]; auto; destruct x; auto; destruct o; auto.
      destruct (nth_error args index) as [w|] eqn:E; auto. cbn [typeof] in T.
      destruct (sequence (map (typeof ce ca) args)) as [ts|] eqn:Q; [|discriminate]. clear K.
      split.
      + revert index ts T E Q. induction args as [|x l IH]; intros [|i] ts; cbn; try discriminate;
          destruct (typeof ce ca x) as [k|] eqn:X; try discriminate; destruct (sequence _) eqn:Y; try discriminate;
          intros T E Q; inversion Q; subst; cbn in T; eauto. congruence.
      + cbn. clear -E. revert index E. induction args; intros [|i]; cbn; try discriminate; intros; auto; congruence.
    - destruct args as [|c [|x [|y [|]]]]; auto. destruct (term_eqb c tt' || term_eqb x y) eqn:E.
      + cbn in T; whens. split; auto. apply orb_true_iff in E as [E|E]; apply term_eqb_eq in E; subst; cbn; auto.
        destruct (toB _); auto.
      + destruct (term_eqb c ff') eqn:E'; auto. apply term_eqb_eq in E'; subst. cbn in T; whens. auto.
    - destruct args as [|x [|]]; auto; destruct x; auto; destruct o; auto; destruct args as [|x [|]]; auto. cbn in T. whens. auto.
    - destruct args as [|x [|]]; auto; destruct x; auto; destruct o; auto; destruct args as [|x [|]]; auto.
      + destruct (is _ _) eqn:D; auto. apply is_eq in D. cbn in T. whens. split; [now apply closed_type|].
        rewrite (closed_eval _ _ D), (default_term_ok r _ D). reflexivity.
      + cbn in T. whens. auto.
  Qed.
End Junction.

(** Term constructors that simplify. *)
Definition conj (l : list term) := mk And l.
Definition disj (l : list term) := mk Or l.
Definition implies (p q : term) := disj [mk Not [p]; q].
Definition eq' (x y : term) := mk Equal [x; y].
Definition proj (x : term) (i : nat) := mk (Proj i) [x].
Definition ite (c x y : term) := mk Ite [c; x; y].
Definition is_none' (x : term) := mk IsNone [x].
Definition value_of (t : ty) (x : term) := mk (ValueOf t) [x].

(** [apply]: the body of a UDF with terms for its element and its accumulator. *)
Definition remade (t : term) (o : op) (args args' : list term) := if list_eqb term_eqb args args' then t else mk o args'.
Fixpoint apply (x m : option term) (t : term) : term :=
  match t with
  | Elem _ => match x with Some u => u | None => t end
  | Acc _ => match m with Some u => u | None => t end
  | Op o args => if over_bags o then t else remade t o args (map (apply x m) args)
  | _ => t
  end.
(** [substitute]: closed terms in the place of closed terms, inside UDFs too. *)
Fixpoint substitute (s : term -> option term) (t : term) : term :=
  match s t with
  | Some u => u
  | None => match t with Op o args => remade t o args (map (substitute s) args) | _ => t end
  end.
Definition list_eqb_true (args args' : list term) : list_eqb term_eqb args args' = true -> args = args'.
Proof. apply list_eqb_eq. apply Forall_forall. intros; now apply term_eqb_eq. Qed.

Definition binds (r : env) (ce : option ty) (e : val) (x : option term) := match ce, x with
  | Some t, Some u => type u = Some t /\ meaning r u = e
  | None, _ => True
  | Some _, None => False
  end.
Lemma apply_ok r : typed r -> forall t ce ca e a x m u, fits ce e -> fits ca a -> binds r ce e x -> binds r ca a m ->
  typeof ce ca t = Some u -> type (apply x m t) = Some u /\ meaning r (apply x m t) = eval r e a t.
Proof.
  intros R t; induction t using term_ind'; intros ce ca e a x' m u Fe Fa X M T; try (cbn in *; auto; fail).
  - cbn in T; whens; subst. unfold binds in X. cbn. destruct x'; tauto.
  - cbn in T; whens; subst. unfold binds in M. cbn. destruct m; tauto.
  - cbn [apply]. destruct (over_bags o) eqn:O.
    + assert (type (Op o args) = Some u).
      { unfold type. destruct o; try discriminate; exact T. }
      split; auto. symmetry. exact (closed_eval _ _ H0 r e a).
    + unfold remade.
      assert (C : type (Op o (map (apply x' m) args)) = Some u /\ meaning r (Op o (map (apply x' m) args)) = eval r e a (Op o args)).
      { apply (flat_congruence ce ca r e a None None r nothing nothing); [auto|now intros ? ? ? ?| |auto]. clear -H Fe Fa X M.
        induction H; cbn; constructor; auto. intros u U. eapply H; eauto. }
      destruct (list_eqb _ _ _) eqn:L; [apply list_eqb_true in L; now rewrite L at 1 2|].
      destruct C as [C1 C2]. destruct (mk_ok None None r nothing nothing R I I _ _ _ C1) as [D1 D2].
      split; [exact D1|]. unfold meaning in *. congruence.
Qed.

Lemma inhabited t : exists v, has_type v t.
Proof.
  induction t using ty_ind'.
  - now exists (VInt 0). - now exists (VBool true). - now exists (VText ""). - now exists VNone.
  - enough (exists vs, Forall2 has_type vs ts) as [vs V] by (exists (VTup vs); now apply has_type_tup).
    induction H as [|t ts [v V] _ [vs W]]; [now exists []|]. exists (v :: vs). now constructor.
  - now exists (VBag []).
Qed.
Lemma fits_some c : exists v, fits c v.
Proof. destruct c as [t|]; [exact (inhabited t)|now exists nothing]. Qed.

Definition is_app (x : name) : bool := match x with App _ _ _ => true | _ => false end.
Fixpoint occurs (x : name) (t : term) : bool :=
  match t with Var y _ => name_eqb x y | Op o args => applies o && is_app x || existsb (occurs x) args | _ => false end.
Fixpoint uses (x : name) (k : ty) (t : term) : bool :=
  match t with Var y u => name_eqb x y && ty_eqb k u | Op o args => applies o && is_app x || existsb (uses x k) args | _ => false end.
Lemma uses_occurs x k t : uses x k t = true -> occurs x t = true.
Proof.
  induction t using term_ind'; cbn; auto; [rewrite andb_true_iff; tauto|].
  rewrite !orb_true_iff, !existsb_exists. intros [A|(y & Y & U)]; auto. rewrite Forall_forall in H. eauto.
Qed.
(** What a substitution has to satisfy, for the environments [r] of the old and [r'] of the new term. *)
Definition replaces (r r' : env) (s : term -> option term) := forall t u, s t = Some u ->
  exists k, type t = Some k /\ type u = Some k /\ meaning r' u = meaning r t.
Lemma substitute_ok r r' s : typed r -> typed r' -> replaces r r' s ->
  forall t, (forall x k, uses x k t = true -> s (Var x k) = None \/ is_app x = true -> r x k = r' x k) ->
  forall ce ca, same ce ca r r' t (substitute s t).
Proof.
  intros R R' S t; induction t using term_ind'; intros V ce ca u T.
  1-6: cbn [substitute];
    match goal with |- context [match ?o with Some _ => _ | None => _ end] => destruct o as [w|] eqn:E end;
    [match goal with S : replaces _ _ _ |- _ => destruct (S _ _ E) as (k & K1 & K2 & K3) end;
     match goal with T : typeof ?ce ?ca _ = Some _ |- _ => rewrite (closed_type _ _ K1 ce ca) in T; inversion T; subst end;
     split; [exact (closed_type _ _ K2 _ _)|]; intros;
     erewrite (closed_eval _ _ K2), (closed_eval _ _ K1); exact K3
    |split; auto; intros; cbn; auto].
  - symmetry; apply V; auto. cbn. now rewrite (proj2 (name_eqb_eq _ _) eq_refl), ty_eqb_refl.
  - cbn [substitute]. destruct (s (Op o args)) as [w|] eqn:E.
    + destruct (S _ _ E) as (k & K1 & K2 & K3); rewrite (closed_type _ _ K1 ce ca) in T; inversion T; subst;
       split; [exact (closed_type _ _ K2 ce ca)|]; intros; rewrite (closed_eval _ _ K2 r'), (closed_eval _ _ K1 r); exact K3.
    + assert (F : Forall2 (fun t t' => forall ce ca, same ce ca r r' t t') args (map (substitute s) args)).
      { cbn in V. clear -H V. induction H; cbn; constructor.
        - apply H. intros; apply V; auto. cbn. rewrite H1. cbn. apply orb_true_r.
        - apply IHForall. intros; apply V; auto. cbn. apply orb_true_iff in H1 as [->| ->]; cbn; auto. now rewrite !orb_true_r. }
      assert (SF : applies o = true -> same_functions r r').
      { intros A f ts vs k. apply V; [|auto]. cbn. now rewrite A. }
      assert (C : forall e a, fits ce e -> fits ca a -> typeof ce ca (Op o (map (substitute s) args)) = Some u /\
          eval r' e a (Op o (map (substitute s) args)) = eval r e a (Op o args)).
      { intros. destruct (over_bags o) eqn:O.
        - apply (bag_congruence r r' ce ca); auto.
        - apply (flat_congruence ce ca r e a ce ca r'); auto. clear -F H0 H1.
          induction F; constructor; auto. intros u U. destruct (H ce ca u U). split; auto. }
      unfold remade. destruct (list_eqb _ _ _) eqn:L; [apply list_eqb_true in L; rewrite <- L in C; split; auto; intros; now apply C|].
      split.
      * destruct (fits_some ce) as [e He], (fits_some ca) as [a Ha]. destruct (C e a He Ha) as [C1 C2].
        exact (proj1 (mk_ok ce ca r' e a R' He Ha _ _ _ C1)).
      * intros e a He Ha. destruct (C e a He Ha) as [C1 C2].
        destruct (mk_ok ce ca r' e a R' He Ha _ _ _ C1) as [D1 D2]. congruence.
Qed.

Lemma component_nth r xs i x : nth_error xs i = Some x -> component i (VTup (map (meaning r) xs)) = meaning r x.
Proof. unfold component; cbn [components]. revert i; induction xs; intros [|i]; cbn; try discriminate; intros H; auto. congruence. Qed.
Lemma m_proj r x i : meaning r (proj x i) = component i (meaning r x).
Proof.
  unfold proj; cbn [mk]. destruct x; auto. destruct o; auto. destruct (nth_error args i) eqn:E; auto.
  symmetry. exact (component_nth _ _ _ _ E).
Qed.

(** ** Formulas *)
Definition bool_term (t : term) := type t = Some TBool.
Lemma conj_list_ok r l : typed r -> Forall bool_term l ->
  bool_term (conj l) /\ toB (meaning r (conj l)) = forallb toB (map (meaning r) l).
Proof.
  intros R L. assert (T : type (Op And l) = Some TBool).
  { unfold type; cbn [typeof]. replace (forallb _ _) with true; auto. symmetry. apply forallb_forall. intros o O.
    apply in_map_iff in O as (t & <- & I). rewrite Forall_forall in L. apply is_eq. now apply L. }
  destruct (mk_ok None None r nothing nothing R I I And _ _ T) as [E1 E2]. split; [exact E1|].
  unfold meaning, conj. rewrite E2. cbn [run in_order]. now rewrite toB_bool.
Qed.
Lemma not_ok r p : typed r -> bool_term p -> bool_term (mk Not [p]) /\ toB (meaning r (mk Not [p])) = negb (toB (meaning r p)).
Proof.
  intros R P. assert (T : type (Op Not [p]) = Some TBool) by (unfold bool_term, type in *; cbn [typeof]; now rewrite P).
  destruct (mk_ok None None r nothing nothing R I I _ _ _ T) as [E1 E2]. split; [exact E1|].
  unfold meaning. rewrite E2. cbn [run in_order]. now rewrite toB_bool.
Qed.
Lemma implies_ok r p q : typed r -> bool_term p -> bool_term q ->
  bool_term (implies p q) /\ toB (meaning r (implies p q)) = implb (toB (meaning r p)) (toB (meaning r q)).
Proof.
  intros R P Q. destruct (not_ok r p R P) as [N1 N2]. unfold implies, disj.
  assert (T : type (Op Or [mk Not [p]; q]) = Some TBool) by (unfold bool_term, type in *; cbn [typeof map forallb]; now rewrite N1, Q).
  destruct (mk_ok None None r nothing nothing R I I _ _ _ T) as [E1 E2]. split; [exact E1|].
  unfold meaning in *. rewrite E2. cbn [run in_order map existsb]. rewrite toB_bool, N2, orb_false_r. now destruct (toB _), (toB _).
Qed.
Lemma eq_ok r x y t : typed r -> type x = Some t -> type y = Some t ->
  bool_term (eq' x y) /\ toB (meaning r (eq' x y)) = veqb (meaning r x) (meaning r y).
Proof.
  intros R X Y. assert (T : type (Op Equal [x; y]) = Some TBool) by (unfold type in *; cbn [typeof]; rewrite X, Y; cbn; now rewrite ty_eqb_refl).
  destruct (mk_ok None None r nothing nothing R I I _ _ _ T) as [E1 E2]. split; [exact E1|].
  unfold meaning, eq'. rewrite E2. cbn [run in_order]. now rewrite toB_bool.
Qed.
Lemma ite_ok r c x y t : typed r -> bool_term c -> type x = Some t -> type y = Some t ->
  type (ite c x y) = Some t /\ meaning r (ite c x y) = if toB (meaning r c) then meaning r x else meaning r y.
Proof.
  intros R C X Y. assert (T : type (Op Ite [c; x; y]) = Some t) by (unfold bool_term, type in *; cbn [typeof]; rewrite X, Y, C; cbn; now rewrite ty_eqb_refl).
  destruct (mk_ok None None r nothing nothing R I I _ _ _ T) as [E1 E2]. split; [exact E1|]. unfold meaning, ite. now rewrite E2.
Qed.

Lemma disj_list_ok r l : typed r -> Forall bool_term l ->
  bool_term (disj l) /\ toB (meaning r (disj l)) = existsb toB (map (meaning r) l).
Proof.
  intros R L. assert (T : type (Op Or l) = Some TBool).
  { unfold type; cbn [typeof]. replace (forallb _ _) with true; auto. symmetry. apply forallb_forall. intros o O.
    apply in_map_iff in O as (t & <- & I). rewrite Forall_forall in L. apply is_eq. now apply L. }
  destruct (mk_ok None None r nothing nothing R I I Or _ _ T) as [E1 E2]. split; [exact E1|].
  unfold meaning, disj. rewrite E2. cbn [run in_order]. now rewrite toB_bool.
Qed.
